import Arbor
import ArborEntities
import ArborRequests
import ArborTesting
import Foundation
import TestSupport

/// A cache in a store, with its server, its clock and its observers.
final class RequestEngine {
  private struct Slot {
    var observer: SimulatedObserver?
    var subscription: StoreSubscription?
  }

  private let executor = ManualExecutor()
  private let clock = TestClock()
  private let server = SimulatedServer()
  private let definitions: SimulatedDefinitions
  private var factory: StoreFactory<SimulatedState, SimulatedAction>?
  private let argument: StoreFactory<Int?, Int?>
  private var slots: [Int: Slot] = [:]
  private var tasks: [Int: StoreTask<Void>] = [:]
  private let received = RecordedValues<(slot: Int, state: Seen.State)>()
  private let outcomes = RecordedValues<(waiter: Int, outcome: Seen.Outcome)>()

  /// The stored cache for a replacement.
  private var stored = Requests()

  /// The changes by the keys of the cache.
  private var inputs: [PendingChange.ID: SimulatedChange] = [:]

  init(_ cache: Requests = Requests(), keys: SimulatedKeys = SimulatedKeys()) {
    definitions = SimulatedDefinitions(server, keys)
    factory = StoreFactory(
      initialState: SimulatedState(requests: cache),
      feature: .combined(
        Requests.feature(definitions.all)
          .scoped(to: \.requests, action: SimulatedAction.requests) { action in
            if case .requests(let action) = action { action } else { nil }
          },
        Feature { state, action in if case .replace(let cache) = action { state.requests = cache } }
      ),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    argument = StoreFactory(initialState: nil, settings: TreeSettings(executor: executor)) { $0 = $1 }
    executor.run()
  }

  private var store: Store<Requests, RequestAction> {
    factory!.rootStore().scope(to: \.requests, action: SimulatedAction.requests)
  }

  private var cache: Requests { factory!.state.requests }

  /// Releases everything.
  ///
  /// - Returns: A new engine with the stored cache, or nil if this one left a task, a call or a sleeper.
  func restarted() -> RequestEngine? {
    let stored = try! JSONEncoder().encode(cache)
    slots = [:]
    factory = nil
    executor.run()
    _ = takeOutcomes()
    guard server.open.isEmpty, tasks.isEmpty else { return nil }
    // The delay before another attempt ends by itself.
    clock.advance(by: .seconds(SimulatedRequest.backoff))
    guard clock.sleepers == 0 else { return nil }
    for target in server.late { server.reply(to: target, late: true, with: .success(0)) }
    executor.run()
    let next = RequestEngine(try! JSONDecoder().decode(Requests.self, from: stored), keys: definitions.keys)
    next.inputs = inputs
    next.stored = self.stored
    return next
  }

  /// `true` if the cache is empty, and no call and no timer is left.
  var isEmpty: Bool {
    cache.entries.isEmpty && cache.changes.isEmpty && server.open.isEmpty && server.late.isEmpty && clock.sleepers == 0
  }

  // MARK: What a user sees

  /// Returns what a user sees, and forgets what was received.
  func look() -> Seen {
    let cache = cache
    var seen = Seen()
    for entry in cache.entries {
      seen.entries[EntryID(entry.id)] = Seen.Entry(
        hasAnswer: entry.answer != nil,
        isStale: entry.isStale,
        isFetching: entry.fetch != nil,
        isWaiting: entry.isWaiting,
        duePages: entry.duePages,
        failure: entry.failure?.kind,
        observers: cache.observerCount(of: entry.id),
        tags: entry.tags,
        records: entry.records.map { EntryID($0) }
      )
    }
    seen.changes = cache.changes.map { change in
      let isSending = change.status == .sending
      return Seen.Change(input: inputs[change.id], isSending: isSending, failure: change.failure?.kind)
    }
    for target in server.open {
      switch target {
      case .fetch(let id, let cursor): seen.fetches[id, default: []].append(cursor)
      case .send(let number): seen.sends.append(number)
      }
    }
    for target in server.late { seen.lateCalls[target, default: 0] += 1 }
    seen.keysAreStable = definitions.keys.areStable
    for (slot, content) in slots { seen.slots[slot] = content.observer?.state() }
    for (slot, state) in received.values { seen.received[slot, default: []].append(state) }
    received.removeAll()
    seen.outcomes = takeOutcomes()
    return seen
  }

  private func takeOutcomes() -> [Int: Seen.Outcome] {
    let ended = Dictionary(uniqueKeysWithValues: outcomes.values.map { ($0.waiter, $0.outcome) })
    outcomes.removeAll()
    for waiter in ended.keys { tasks[waiter] = nil }
    return ended
  }

  // MARK: Operations

  func perform(_ operation: Operation) {
    switch operation {
    case .observe(let slot, let id):
      guard slots[slot] == nil else { return }
      slots[slot] = Slot(observer: definitions.observe(id, in: store))
    case .follow(let slot):
      guard slots[slot] == nil else { return }
      slots[slot] = Slot(observer: definitions.follow(argument.rootStore().derived { $0 }!, in: store))
    case .setArgument(let argument): self.argument.dispatch(argument)
    case .drop(let slot):
      slots[slot]?.observer = nil
      removeUnused(slot)
    case .subscribe(let slot, let onlyValues): subscribe(slot, onlyValues)
    case .unsubscribe(let slot):
      slots[slot]?.subscription = nil
      removeUnused(slot)
    case .fetch(let waiter, let id):
      let (definitions, store) = (definitions, store)
      start(waiter) { try await definitions.fetch(id, in: store) }
    case .stopWaiting(let waiter): tasks[waiter]?.cancel()
    case .prefetch(let id): store.dispatch(.prefetch(definitions.requestID(id)))
    case .refetch(let id): store.dispatch(.refetch(definitions.requestID(id)))
    case .fetchPage(let id, let page): store.dispatch(.fetchPage(definitions.requestID(id), page))
    case .answer(let id, let number): server.reply(to: id, with: .success(number))
    case .fail(let id): server.reply(to: id, with: .failure(SimulatedServer.Refusal()))
    case .endStream(let id): if id.request.policy.isStream { server.reply(to: id, with: nil) }
    case .answerLate(let target): server.reply(to: target, late: true, with: .success(-1))
    case .invalidate(let tag): store.dispatch(.invalidate([tag]))
    case .invalidateRequest(let request): store.dispatch(.invalidateRequest(name: request.rawValue))
    case .invalidateEntry(let id): store.dispatch(.invalidateEntry(definitions.requestID(id)))
    case .change(let input, let isAwaited): change(input, isAwaited)
    case .confirm(let number): server.reply(to: .send(number), with: .success(number))
    case .refuse(let number): server.reply(to: .send(number), with: .failure(SimulatedServer.Refusal()))
    case .cancel(let number):
      if let key = inputs.first(where: { $0.value.number == number })?.key { store.dispatch(.cancelChange(key)) }
    case .retry(let number):
      if let key = inputs.first(where: { $0.value.number == number })?.key { store.dispatch(.retryChange(key)) }
    case .pass(let seconds):
      for _ in 0..<seconds {
        clock.advance(by: .seconds(1))
        executor.run()
      }
    case .becomeOnline(let isOnline): store.dispatch(isOnline ? .becameOnline : .becameOffline)
    case .becomeActive(let isActive): store.dispatch(isActive ? .becameActive : .becameInactive)
    case .restart: break
    case .store:
      var content = try! JSONSerialization.jsonObject(with: JSONEncoder().encode(cache)) as! [String: Any]
      content["changes"] = []
      stored = try! JSONDecoder().decode(Requests.self, from: JSONSerialization.data(withJSONObject: content))
    case .replace(let byEmpty):
      for task in tasks.values { task.cancel() }
      executor.run()
      factory!.dispatch(.replace(byEmpty ? Requests() : stored))
    }
    executor.run()
  }

  private func removeUnused(_ slot: Int) {
    if let content = slots[slot], content.observer == nil, content.subscription == nil { slots[slot] = nil }
  }

  private func subscribe(_ slot: Int, _ onlyValues: Bool) {
    guard let observer = slots[slot]?.observer, slots[slot]?.subscription == nil else { return }
    let received = received
    slots[slot]!.subscription = observer.subscribe(onlyValues) { received.append((slot, $0)) }
  }

  private func change(_ input: SimulatedChange, _ isAwaited: Bool) {
    let (change, store) = (definitions.change(of: input), store)
    if isAwaited {
      start(input.number) { [try await store.perform(change, input)] }
    } else {
      store.dispatch(change.action(input))
    }
    executor.run()
    for change in cache.changes where inputs[change.id] == nil { inputs[change.id] = input }
  }

  private func start(_ waiter: Int, _ wait: @escaping @Sendable () async throws -> [Int]) {
    let outcomes = outcomes
    tasks[waiter] = store.task { _ in
      do {
        outcomes.append((waiter, .value(try await wait())))
      } catch let failure as RequestFailure {
        outcomes.append((waiter, .failed(failure.kind)))
      } catch {
        outcomes.append((waiter, .canceled))
      }
    }
  }
}

/// A state with a cache that the program can replace.
private struct SimulatedState: Sendable {
  var requests: Requests
}

private enum SimulatedAction: Sendable {
  case requests(RequestAction)
  case replace(Requests)
}

extension EntryID {
  fileprivate init(_ id: RequestID) {
    self.init(request: SimulatedRequest(rawValue: id.name)!, argument: Int(id.argument)!)
  }
}
