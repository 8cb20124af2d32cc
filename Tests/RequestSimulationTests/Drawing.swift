import ArborRequests
import TestSupport

/// Draws the operations of a world, most of which concern something that the model has.
struct Drawing {
  var random: SplitMix64

  /// Returns an operation with a number.
  mutating func operation(_ number: Int, in model: RequestModel) -> Operation {
    while true {
      if let operation = candidate(number, in: model) { return operation }
    }
  }

  private mutating func candidate(_ number: Int, in model: RequestModel) -> Operation? {
    let slot = Int.random(in: 0..<5, using: &random)
    switch Int.random(in: 0..<100, using: &random) {
    case 0..<10: return .observe(slot: slot, entry())
    case 10: return .follow(slot: slot)
    case 11: return .setArgument(random.once(in: 4) ? nil : argument())
    case 12..<16: return .drop(slot: slot)
    case 16..<19: return .subscribe(slot: slot, onlyValues: random.once(in: 2))
    case 19..<21: return .unsubscribe(slot: slot)
    case 21..<25: return .fetch(waiter: number, entry())
    case 25..<27: return one(of: model.waiting).map { .stopWaiting(waiter: $0) }
    case 27..<30: return .prefetch(entry())
    case 30: return .refetch(entry())
    case 31..<33, 99:
      return one(of: model.loadedPages).map { .fetchPage($0, random.once(in: 3) ? .previous : .next) }
    case 33..<50:
      return one(of: model.openFetches).map { id in
        let old = model.entries[id]?.answer?.last
        return .answer(id, old.flatMap { random.once(in: 3) ? $0 : nil } ?? Int.random(in: 0..<50, using: &random))
      }
    case 50..<55: return one(of: model.openFetches).map { .fail($0) }
    case 55: return one(of: model.openFetches.filter(\.request.policy.isStream)).map { .endStream($0) }
    case 56..<59: return one(of: model.lateTargets).map { .answerLate($0) }
    case 59..<62: return .invalidate(one(of: SimulatedRequest.tags)!)
    case 62: return .invalidateRequest(one(of: SimulatedRequest.allCases)!)
    case 63: return .invalidateEntry(entry())
    case 64..<70:
      let change = SimulatedChange(
        number: number,
        isAddition: random.once(in: 2),
        argument: argument(),
        amount: Int.random(in: 1..<50, using: &random)
      )
      return .change(change, isAwaited: random.once(in: 3))
    case 70..<76: return one(of: model.sends).map { .confirm(change: $0) }
    case 76..<79: return one(of: model.sends).map { .refuse(change: $0) }
    case 79: return one(of: model.changes.map(\.input.number)).map { .cancel(change: $0) }
    case 80..<93: return .pass(seconds: one(of: [1, 1, 1, 1, 2, 2, 3, 5, 8])!)
    case 93: return random.once(in: 3) ? .pass(seconds: 20) : nil
    case 94..<96: return .becomeOnline(!model.isOnline || random.once(in: 10))
    case 96..<98: return .becomeActive(!model.isActive || random.once(in: 10))
    case 98:
      if random.once(in: 3) { return .restart }
      if random.once(in: 2) { return random.once(in: 2) ? .store : .replace(byEmpty: random.once(in: 3)) }
      return one(of: model.changes.filter { !$0.isPending }.map(\.input.number)).map { .retry(change: $0) }
    default: return nil
    }
  }

  private mutating func argument() -> Int { one(of: [1, 1, 1, 1, 2, 2, 3, 4])! }

  private mutating func entry() -> EntryID {
    EntryID(request: one(of: [.album, .album, .list, .status, .news, .pages, .pages])!, argument: argument())
  }

  private mutating func one<Element>(of elements: [Element]) -> Element? {
    elements.randomElement(using: &random)
  }
}
