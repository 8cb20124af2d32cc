public import Arbor
public import ArborPersistence
public import Dispatch
internal import Foundation

/// The owner of a store whose state many processes share, by an ordered log of their actions.
///
/// ```swift
/// let shared = try await SharedStore(
///   initialState: Board(), feature: board, log: FileLog(at: folder), client: "Ann", outbox: Storage(at: outbox))
/// shared.dispatch(.add("milk"))
/// shared.state            // has it already
/// shared.confirmed.state  // has it once the log has
/// ```
///
/// - Its stores are stores: dispatch, scope and observe as ever. It keeps them alive as a `StoreFactory` does.
/// - **An own action** passes the interceptors once, and is shown at once. It is in the outbox, then in the log, and is
///   confirmed when it is read from there. What is shown is the confirmed state with the waiting actions reduced on top. When
///   actions of others come before, these are reduced again: a step with one notification, told as a ``Rebase``.
/// - **Reducers decide anew** on what they find, so time, chance and ids must come in the action: see
///   `Interceptor.stamping(by:_:)`.
/// - **Effects** of the feature are asked when an action is confirmed, with the confirmed state, and by its sender alone; a
///   state effect by the client whose action began it. `Feature.performedEverywhere()` lets all clients perform them. After a
///   crash in between they are performed once more.
/// - A batch is one step here. Others may read it in parts.
/// - **Child stores** and what is added to stores are local: their reducers and effects run when an action is shown.
/// - **A reducer that traps** does so once: the next start leaves out what was reduced when the process ended, stops the work
///   with the log there and says so; see ``SyncStop/ended(position:)``.
/// - **Nothing is lost**: what waits survives a restart, from when the outbox has it; see ``flush()``. What cannot be applied
///   stops the work with the log, and nothing else: see ``SyncStop``.
public final class SharedStore<State: Codable & Sendable, Action: Codable & Sendable>: StoreOwner, Sendable {
  private let factory: StoreFactory<State, Action>
  package let session: SyncSession<State, Action>

  /// The report of what was found in the outbox.
  public let report: LoadReport

  /// The status of the work with the log.
  ///
  /// - A tree of its own, as ``confirmed`` is: an observer of it that reads the state of this store, while one of this store
  ///   reads this one's, stops the program: each would wait for the other. Take the state from the observer's arguments.
  /// - An action counts as waiting once it was reduced: after `dispatchAndWait`, or after the shared state was read.
  public let status: ReadOnlyStore<SyncStatus>

  /// The state on which all clients agree, as far as this one has read the log.
  public let confirmed: ReadOnlyStore<State>

  /// Makes a shared store: of what the outbox has, or of the initial state. The log is looked for afterwards.
  ///
  /// - Parameters:
  ///   - initialState: The state before the first action of the log; the same one for all clients.
  ///   - feature: All that the root does. Its reducer must be the same for all clients; its interceptors need not.
  ///   - log: The log.
  ///   - name: The name of this client. Several clients may have the same.
  ///   - outbox: A storage that no other store uses a journal of, in a folder of its own: each process has another one. The
  ///     confirmed state is kept in it, too.
  ///   - form: The versions of actions and states.
  ///   - sync: The measures of the work with the log.
  ///   - qos: The quality of service of the tree's queue.
  ///   - settings: The settings of the tree, as with a `StoreFactory`. Its clock is also used for the work with the log.
  ///     A `Recorder` among the monitors stops the program.
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
    // Actions that cannot be read now may be read by a renewed program: nothing is forgotten because of them.
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
    // Kept as well: the next start must not take the state for one of that position.
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

  /// This client, as others see it: its name, and its incarnation, which may be another one later.
  public var client: LogClient { session.progress.client }

  /// The root's store. Every call returns the same store.
  public var asStore: Store<State, Action> { factory.rootStore() }
}

extension Agreement {
  /// Begins with what was kept.
  ///
  /// - Parameter place: The place that is not reduced, as the process ended there before.
  /// - Returns: The actions that wait, without the one that is not reduced, and the index of that one.
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
          position: progress.position, reason: "an action that waits: \(Confidentiality.description(of: error))"))
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
