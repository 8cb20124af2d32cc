package import Arbor
internal import ArborPersistence
internal import Foundation

// The life of an own action:
//
// 1. SharedRoot        it passes the interceptors; `logging`, in this file, encodes it, and reads that again; it is reduced on
//                      what is shown, and noted as one that waits.
// 2. Agreement         the outbox has it with its number.
// 3. +Sending          the outbox is flushed, and the log gets it, with others, in a numbered batch.
// 4. +Receiving        the log has a position for it, and it is read, with those of others.
// 5. SharedRoot        it is reduced on the confirmed state, its effects are performed, and what is shown is rebased if others
//                      came first.
// 6. Agreement         the outbox has the new confirmed state, and the action waits no more.
//
// After a crash between 3 and 6 the outbox has it still, and it is sent once more: the log knows its number.

/// The work of a shared store with its log: one task that connects, reads, sends and rests, and one that hears the hints.
package final class SyncSession<State: Codable & Sendable, Action: Codable & Sendable>: Sendable {
  /// The name of the client.
  let name: String
  let log: any OrderedLog
  let outbox: any Outbox
  let form: SharedForm<State, Action>
  let settings: SyncSettings
  package let root: SharedRoot<State, Action>

  /// The store of what is known of the log; the outbox keeps it.
  package let agreement: StoreFactory<Agreement<State>, AgreementAction<State>>
  let checksums: StateChecksums
  private let wakeUp: WakeUp
  private let tasks = Protected<[Task<Void, Never>]>([])
  private let time: @Sendable () -> TreeTime

  /// The reason for which the work has stopped; nil if it goes on. Read where another tree must not be waited for.
  let stopReason = Protected<SyncStop?>(nil)

  /// The position of the newest snapshot that is known.
  let knownSnapshot = Protected(0)

  /// The position whose action is not reduced, as the process ended there before; nil if there is none.
  let avoidedPosition: Int?

  /// The own actions that came back from the log with another content: once it may have been a copy of the outbox.
  let changedActions = Protected<Set<Data>>([])

  /// The state of the connection since the log was found last.
  let connection = Protected(LogConnection())

  /// The greatest number of actions that are sent at once: fewer after a failure, which their length may have caused.
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

  /// Makes the function that makes of an own action what the log will have.
  ///
  /// - The action is what its bytes say, also here: what a coding leaves out is nowhere, and what cannot be read is not sent.
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
        // Shown here, and never anywhere else: what follows it may depend on it.
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

  /// Ends the work, as the owner of the store goes.
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
        // Whatever is dispatched meanwhile does not make it shorter.
        let delay = max(settings.backoff.delay(before: failures + 1), SyncSettings.shortestRest)
        await rest(until: .time, atMost: delay)
      }
    }
  }

  func requireGoingOn() throws(SyncFailure) {
    if Task.isCancelled { throw .ended }
    // An action could not be encoded, or another client has another state.
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

  /// Rests until something is to be sent or read.
  private func rest() async {
    // The log must hear of this client before it takes it for gone.
    let lease = connection.withLockInAsync { $0.lease }
    let time = max(min(settings.pollInterval, lease / 4), SyncSettings.shortestRest)
    let causes = await rest(until: [.own, .hint, .time], atMost: time)
    // Hints that come in a short time cause one reading of the log.
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
    // Bytes that are no message come from a newer program, or from somebody else.
    guard let message = try? BinaryCoding().decode(SyncMessage.self, from: bytes) else { return }
    switch message {
    case .snapshot(let position, let log):
      let agreement = agreement.state
      guard log == agreement.progress.log else { return }
      // Nobody has one of what is not in the log.
      knownSnapshot.withLockInAsync { $0 = max($0, min(position, agreement.knownEnd)) }
    case .passing(let sender, let type, let bytes):
      root.emit(PassingMessage(sender: sender, type: type, bytes: bytes))
    case .checksum(let checksum, let position, let log, let version):
      // It may have come late, from a log that was replaced.
      guard log == progress.log, version == form.stateVersion else { return }
      if !checksums.agrees(checksum, at: position) { await diverged(at: position) }
    }
  }

  private func diverged(at position: Int) async {
    guard agreement.state.connection.stopReason == nil else { return }
    // The other one may have come later, and not know the checksum of this client.
    if let own = checksums.own(at: position) {
      await tellOthers(own, at: position)
    }
    keep(.diverged)
    tell(.stopped(.diverged(position: position)))
    wakeUp.wake(.own)
  }

  /// Sends the checksum of the confirmed state to all clients. It may be lost: there are other positions.
  func tellOthers(_ checksum: UInt64, at position: Int) async {
    try? await broadcast { log in .checksum(checksum, position: position, log: log, version: form.stateVersion) }
  }

  /// Sends a message to all clients; it may be lost.
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
  /// The checksum of the confirmed state at a position of a log, for those whose type of the state has the same version.
  case checksum(UInt64, position: Int, log: UUID, version: Int)

  /// A snapshot was written to a log.
  case snapshot(position: Int, log: UUID)

  /// A message of a program: the name of its type, and its bytes.
  case passing(sender: LogClient, type: String, bytes: Data)
}

/// A message of a program, as it is sent to the root of the shared store.
struct PassingMessage: Sendable {
  let sender: LogClient
  let type: String
  let bytes: Data
}
