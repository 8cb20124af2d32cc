public import Arbor
public import ArborPersistence
public import Dispatch
internal import Foundation

/// The owner of a store whose state is shared by many processes, through an ordered log of their actions.
///
/// ```swift
/// let shared = try await SharedStore(
///   initialState: Board(), feature: board, log: FileLog(at: folder), client: "Ann", outbox: Storage(at: outbox))
/// shared.dispatch(.add("milk"))
/// shared.state            // Includes the action already.
/// shared.confirmed.state  // Includes it once the log has it.
/// ```
///
/// - You dispatch, scope and observe as with any other store. The shared store keeps its stores alive, as a `StoreFactory`
///   does.
/// - **Your own action** passes the interceptors once, and is shown immediately. The outbox stores it, then the log. It is
///   confirmed when the client reads it from the log. The shown state is the confirmed state with the waiting actions reduced
///   on top. If other clients' actions come first, the waiting ones are reduced again, in a step with one notification and a
///   ``Rebase``.
/// - **Reducers decide again** in the state they find, so time, random numbers and ids must come in the action; see
///   `Interceptor.stamping(by:_:)`.
/// - **Effects** of the feature run when an action is confirmed, with the confirmed state, and only at its sender. State
///   effects run at the client whose action began them. With `Feature.performedEverywhere()`, all clients run them. After a
///   crash in between, effects run again.
/// - A batch is one step here. Other clients may read it in parts.
/// - **Child stores** and additions to stores are local: their reducers and effects run when an action is shown.
/// - **A reducer that traps** does so once. The next start skips the action that was being reduced, stops syncing at it, and
///   reports that; see ``SyncStop/ended(position:)``.
/// - **Nothing is lost.** Waiting actions survive a restart once the outbox has stored them; see ``flush()``. An action that
///   cannot be applied stops syncing, but nothing else; see ``SyncStop``.
public final class SharedStore<State: Codable & Sendable, Action: Codable & Sendable>: StoreOwner, Sendable {
  private let factory: StoreFactory<State, Action>
  package let session: SyncSession<State, Action>

  /// The report on the outbox's content.
  public let report: LoadReport

  /// The status of syncing with the log.
  ///
  /// - It has its own tree, as ``confirmed`` has. Don't read this store's state in an observer of the status while an observer
  ///   of this store reads the status: each would wait for the other, which stops the program. Use the observer's arguments
  ///   instead.
  /// - An action counts as waiting once it was reduced: after `dispatchAndWait`, or after a read of the shared state.
  public let status: ReadOnlyStore<SyncStatus>

  /// The state on which all clients agree, as far as this client has read the log.
  public let confirmed: ReadOnlyStore<State>

  /// Makes a shared store from the outbox's content, or from the initial state. The log is connected afterwards.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first action of the log. It must be the same for all clients.
  ///   - feature: The feature of the root. Its reducer must be the same for all clients; its interceptors may differ.
  ///   - log: The log.
  ///   - name: The name of this client. Several clients may have the same name.
  ///   - outbox: A storage in a folder of its own, whose journal no other store uses. Each process needs its own. It also
  ///     stores the confirmed state.
  ///   - form: The versions of actions and states.
  ///   - sync: The settings for syncing with the log.
  ///   - qos: The quality of service of the tree's queue.
  ///   - settings: The settings of the tree, as for a `StoreFactory`. Syncing uses its clock, too. A `Recorder` among the
  ///     monitors stops the program.
  /// - Throws: The error of loading from the outbox.
  public convenience init(
    initialState: State,
    feature: Feature<State, Action>,
    log: any OrderedLog,
    client name: String,
    outbox: Storage,
    form: SharedForm<State, Action> = SharedForm(),
    sync: SyncSettings = SyncSettings(),
    qos: DispatchQoS = .userInteractive,
    settings: TreeSettings = TreeSettings()
  ) async throws(StorageError) {
    try await self.init(initialState, feature, log, LogClient(name), outbox, form, sync, qos, settings)
  }

  package init(
    _ initialState: State,
    _ feature: Feature<State, Action>,
    _ log: any OrderedLog,
    _ client: LogClient,
    _ outbox: any Outbox,
    _ form: SharedForm<State, Action>,
    _ sync: SyncSettings,
    _ qos: DispatchQoS,
    _ tree: TreeSettings
  ) async throws(StorageError) {
    if tree.monitors.contains(where: { $0 is any StateRecorder }) { Misuse.recordingSharedStore.stop() }
    var form = form
    form.initial = initialState
    let note = outbox.openReductionNote()
    let agreementFeature = Agreement.feature(initialState, form, note, feature.makeReducerBesideTree())
    let fresh = Agreement(
      confirmed: initialState, progress: OutboxProgress(client, reducerVersion: form.reducerVersion))
    var (agreement, monitors, report) = try await outbox.open(fresh, agreementFeature, form)
    note?.willReduce(nil)
    // An updated program may be able to read actions that cannot be read now, so they don't discard anything.
    let isDoubtful = agreement.progress.isDoubtful && agreement.failure == nil
    let isForgotten =
      agreement.isUseless || isDoubtful || agreement.progress.reducerVersion != form.reducerVersion
    if isForgotten {
      agreement.confirmed = initialState
      agreement.failure = nil
      agreement.progress.forget(reducerVersion: form.reducerVersion)
    }
    let (waiting, left) = agreement.begin(form, avoiding: note?.avoided)
    let agreementFactory = StoreFactory(
      initialState: agreement,
      feature: agreementFeature,
      qos: qos,
      settings: TreeSettings(clock: tree.clock, monitors: monitors, executor: tree.executor)
    )
    // Stored as well, because the next start must not use the old state for that position.
    if isForgotten {
      agreementFactory.dispatch(.kept(.forgot(reducerVersion: form.reducerVersion), confirmed: initialState))
    }
    let wakeUp = WakeUp()
    let root = SharedRoot(
      feature,
      confirmed: agreement.confirmed,
      waiting: waiting,
      jobs: agreement.progress.jobs,
      of: agreement.progress.incarnations,
      willReduce: { reduction in
        switch reduction {
        case .position(let position): note?.willReduce(.position(position))
        case .waiting(onTopOf: let position): note?.willReduce(.onTop(of: position))
        case .firstWaiting(let index): note?.willReduce(.waiting(index < left ?? .max ? index : index + 1))
        case nil: note?.willReduce(nil)
        }
      },
      makeLogged: SyncSession.logging(form, in: agreementFactory.rootStore(), wakeUp)
    )
    factory = StoreFactory(initialState: root.makeFirstShown(), feature: root.rootFeature, qos: qos, settings: tree)
    session = SyncSession(
      as: client.name,
      log: log,
      outbox: outbox,
      form: form,
      settings: sync,
      root: root,
      agreement: agreementFactory,
      avoiding: note?.avoided,
      wakeUp: wakeUp
    )
    self.report = report
    status = ReadOnlyStore(\.status, of: agreementFactory)
    confirmed = ReadOnlyStore(\.confirmed, of: agreementFactory)
    session.begin()
  }

  deinit {
    session.end()
  }

  /// This client as others see it. Its incarnation may change later.
  public var client: LogClient { session.progress.client }

  /// The root's store. Every call returns the same store.
  public var asStore: Store<State, Action> { factory.rootStore() }
}

extension Agreement {
  /// Begins with the stored knowledge.
  ///
  /// - Parameter place: The place that isn't reduced, because an earlier process ended there.
  /// - Returns: The waiting actions, without the one that isn't reduced, and the index of that one.
  fileprivate mutating func begin<Action>(
    _ form: SharedForm<State, Action>,
    avoiding place: ReductionPlace?
  ) -> (waiting: [Action], left: Int?) {
    knownEnd = progress.position
    var actions: [Action] = []
    do {
      if let failure { throw failure.reason }
      actions = try progress.waiting.map { try form.action($0.bytes, version: $0.version) }
    } catch let reason as SyncStop {
      connection = .stopped(reason)
    } catch {
      connection = .stopped(
        .unreadable(
          position: progress.position, reason: "a waiting action: \(Confidentiality.description(of: error))"))
    }
    guard connection.stopReason == nil else { return (actions, nil) }
    switch place {
    case .onTop(let position): connection = .stopped(.ended(position: position))
    case .waiting(let index) where actions.indices.contains(index):
      connection = .stopped(.endedByWaiting(progress.waiting[index].number))
      actions.remove(at: index)
      return (actions, index)
    default: break
    }
    return (actions, nil)
  }
}
