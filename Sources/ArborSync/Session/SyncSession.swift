package import Arbor
internal import ArborPersistence
internal import Foundation

// The life of a client's own action:
//
// 1. SharedRoot        The action passes the interceptors. `logging`, in this file, encodes and decodes it. It is reduced
//                      on the shown state, and noted as waiting.
// 2. Agreement         The outbox stores it with its number.
// 3. +Sending          The outbox is flushed. The log receives the action in a numbered batch, with others.
// 4. +Receiving        The log gives it a position. The session reads it, together with other clients' actions.
// 5. SharedRoot        It is reduced on the confirmed state, and its effects run. The shown state is rebased if other actions
//                      came first.
// 6. Agreement         The outbox stores the new confirmed state, and the action no longer waits.
//
// After a crash between 3 and 6, the outbox still has the action and sends it again. The log recognizes its number.

/// The work of a shared store with its log. One task connects, reads, sends and rests, and another one receives the signals.
package final class SyncSession<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  /// The name of the client.
  let name: String
  let log: any OrderedLog
  let outbox: any Outbox
  let form: SharedForm<State, Action>
  let settings: SyncSettings
  package let root: SharedRoot<State, Action>

  /// The store of the client's knowledge of the log, whose changes the outbox stores.
  package let agreement: StoreFactory<Agreement<State>, AgreementAction<State>>
  let checksums: StateChecksums
  private let wakeUp: WakeUp
  private let tasks = Protected<[Task<Void, Never>]>([])
  private let time: @Sendable () -> TreeTime

  /// The reason why the work has stopped; nil while it runs. For code that must not wait for another tree.
  let stopReason = Protected<SyncStop?>(nil)

  /// The position of the newest known snapshot.
  let knownSnapshot = Protected(0)

  /// The position whose action isn't reduced, because an earlier process ended there; nil if there is none.
  let avoidedPosition: Int?

  /// The client's own actions that the log returned with different content. The first time, a copy of the outbox may
  /// be the cause.
  let changedActions = Protected<Set<Data>>([])

  /// The state of the connection, since the log was last found.
  let connection = Protected(LogConnection())

  /// The maximum number of actions sent at once. It is reduced after a failure that may be caused by their length.
  let batchLimit: Protected<Int>

  init(
    as name: String,
    log: any OrderedLog,
    outbox: any Outbox,
    form: SharedForm<State, Action>,
    settings: SyncSettings,
    root: SharedRoot<State, Action>,
    agreement: StoreFactory<Agreement<State>, AgreementAction<State>>,
    avoiding place: ReductionPlace?,
    wakeUp: WakeUp
  ) {
    self.name = name
    avoidedPosition = if case .position(let position)? = place { position } else { nil }
    self.log = log
    self.outbox = outbox
    self.form = form
    self.settings = settings.usable
    self.root = root
    self.agreement = agreement
    self.wakeUp = wakeUp
    batchLimit = Protected(self.settings.batch)
    checksums = StateChecksums(interval: self.settings.checksumInterval)
    time = root.stopwatch()
  }

  /// The time on the store's clock.
  var now: Duration { time().duration }

  var progress: OutboxProgress { agreement.state.progress }

  /// Returns a function that converts one of the client's own actions to the form that the log will have.
  ///
  /// - This client reduces the decoded action, too. Values that the coding omits are lost everywhere, and an action that cannot
  ///   be decoded isn't sent.
  static func logging(
    _ form: SharedForm<State, Action>,
    in agreement: Store<Agreement<State>, AgreementAction<State>>,
    _ wakeUp: WakeUp
  ) -> @Sendable (Action) -> SharedRoot<State, Action>.Logged {
    { action in
      do {
        let bytes = try form.coding.encode(action)
        let read = try form.action(bytes, version: form.actionVersion)
        return (
          read,
          {
            agreement.dispatch(.kept(.added(bytes, version: form.actionVersion)))
            wakeUp.wake(.own)
          }
        )
      } catch {
        // Shown here, but never by another client. Later actions may depend on it.
        return (
          action,
          {
            agreement.dispatch(.cannotEncode(Confidentiality.description(of: error)))
            wakeUp.wake(.own)
          }
        )
      }
    }
  }

  // MARK: Running

  func begin() {
    if let reason = agreement.state.connection.stopReason { return stop(reason) }
    let signals = log.signals()
    let run = root.startTask { await self.run() }
    let hear = root.startTask { await self.hear(signals) }
    tasks.withLock { $0 = [run, hear].compactMap { $0 } }
  }

  /// Ends the work, because the store's owner is released.
  func end() {
    root.abandonConfirmations()
    for task in tasks.withLock({ $0 }) { task.cancel() }
  }

  private func run() async {
    var failures = 0
    while !Task.isCancelled {
      do throws(SyncFailure) {
        try requireGoingOn()
        try await connect()
        while true {
          try requireGoingOn()
          let hasReceived = try await receive()
          let hasSent = try await send()
          try await noteWhatIsRead()
          failures = 0
          if !hasReceived, !hasSent { await rest() }
        }
      } catch {
        switch error {
        case .ended: return
        case .stop(let reason): return stop(reason)
        case .copied: connection.withLockInAsync { $0.isCopied = true }
        case .connection(let error): tell(.down(error.description))
        case .outbox(let error): tell(.down(error.description))
        }
        failures += 1
        // Dispatched actions don't shorten the delay.
        let delay = max(settings.backoff.delay(before: failures + 1), SyncSettings.shortestRest)
        await rest(until: .time, atMost: delay)
      }
    }
  }

  func requireGoingOn() throws(SyncFailure) {
    if Task.isCancelled { throw .ended }
    // An action couldn't be encoded, or another client has a different state.
    if let reason = agreement.state.connection.stopReason { throw .stop(reason) }
  }

  private func stop(_ reason: SyncStop) {
    stopReason.withLock { $0 = $0 ?? reason }
    tell(.stopped(reason))
    root.abandonConfirmations()
  }

  func tell(_ connection: SyncStatus.Connection) {
    if agreement.state.connection != connection { agreement.dispatch(.connection(connection)) }
  }

  func keep(_ change: OutboxChange, confirmed: State? = nil) {
    agreement.dispatch(.kept(change, confirmed: confirmed))
  }

  func flush() async throws(SyncFailure) {
    do throws(StorageError) {
      try await outbox.flush()
    } catch {
      throw .outbox(error)
    }
  }

  /// Rests until there is something to send or read.
  private func rest() async {
    // The client must note its position before its lease ends.
    let lease = connection.withLockInAsync { $0.lease }
    let time = max(min(settings.pollInterval, lease / 4), SyncSettings.shortestRest)
    let causes = await rest(until: [.own, .hint, .time], atMost: time)
    // Hints in quick succession cause only one read of the log.
    if causes == .hint { await rest(until: [.own, .time], atMost: settings.gatherTime) }
  }

  @discardableResult
  private func rest(until causes: WakeUp.Causes, atMost duration: Duration) async -> WakeUp.Causes {
    wakeUp.forget(.time)
    let cancelTimer = root.schedule(after: duration) { [wakeUp] in wakeUp.wake(.time) }
    defer { cancelTimer() }
    return await wakeUp.rest(until: causes)
  }

  // MARK: Hints and messages

  private func hear(_ signals: AsyncStream<LogSignal>) async {
    for await signal in signals {
      switch signal {
      case .appended: wakeUp.wake(.hint)
      case .message(let bytes): await receive(bytes)
      }
    }
  }

  private func receive(_ bytes: Data) async {
    // Bytes that aren't a message come from a newer program, or from another kind of sender.
    guard let message = try? BinaryCoding().decode(SyncMessage.self, from: bytes) else { return }
    switch message {
    case .snapshot(let position, let log):
      let agreement = agreement.state
      guard log == agreement.progress.log else { return }
      // No client has a snapshot of actions that aren't in the log.
      knownSnapshot.withLockInAsync { $0 = max($0, min(position, agreement.knownEnd)) }
    case .passing(let sender, let type, let bytes):
      root.emit(PassingMessage(sender: sender, type: type, bytes: bytes))
    case .checksum(let checksum, let position, let log, let version):
      // The message may be late, from a log that was replaced.
      guard log == progress.log, version == form.stateVersion else { return }
      if !checksums.agrees(checksum, at: position) { await diverged(at: position) }
    }
  }

  private func diverged(at position: Int) async {
    guard agreement.state.connection.stopReason == nil else { return }
    // The other client may have connected later, without this client's checksum.
    if let own = checksums.own(at: position) {
      await tellOthers(own, at: position)
    }
    keep(.diverged)
    tell(.stopped(.diverged(position: position)))
    wakeUp.wake(.own)
  }

  /// Sends the checksum of the confirmed state to all clients. It may be lost, because other positions follow.
  func tellOthers(_ checksum: UInt64, at position: Int) async {
    try? await broadcast { log in .checksum(checksum, position: position, log: log, version: form.stateVersion) }
  }

  /// Sends a message to all clients. It may be lost.
  func broadcast(_ message: (_ log: UUID) -> SyncMessage) async throws(LogError) {
    guard let log = agreement.state.progress.log else { throw .unreachable("no log was found yet") }
    let bytes: Data
    do {
      bytes = try BinaryCoding().encode(message(log))
    } catch {
      throw .refused("a message cannot be encoded: \(Confidentiality.description(of: error))")
    }
    try await self.log.broadcast(bytes, in: log)
  }
}

/// A message between the clients of a log.
enum SyncMessage: Codable, Sendable {
  /// The checksum of the confirmed state at a position, for clients with the same version of the state's type.
  case checksum(UInt64, position: Int, log: UUID, version: Int)

  /// A client has written a snapshot to the log.
  case snapshot(position: Int, log: UUID)

  /// A message of the program: the name of its type, and its bytes.
  case passing(sender: LogClient, type: String, bytes: Data)
}

/// A message of the program, in the form that the shared store's root receives.
struct PassingMessage: Sendable {
  let sender: LogClient
  let type: String
  let bytes: Data
}
