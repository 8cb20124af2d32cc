internal import Arbor
internal import Foundation

/// A client's knowledge of its log: the state of a second store, next to the shared one.
package struct Agreement<State: Codable & Sendable>: Sendable {
  /// The confirmed state.
  package var confirmed: State
  package var progress: OutboxProgress
  var connection = SyncStatus.Connection.connecting

  /// The position of the last action that is known to be in the log.
  var knownEnd = 0

  /// The reason why an action that was shown isn't stored; nil if all are.
  var unkept: String?

  /// `true` if the stored confirmed state doesn't match the stored progress.
  var isUseless = false

  /// The reason why stored actions couldn't be reduced again, and the position that was reached; nil if all could.
  var failure: (reason: SyncStop, position: Int)?

  package var status: SyncStatus {
    let position = failure?.position ?? progress.position
    return SyncStatus(
      connection: connection,
      waiting: progress.waiting.count,
      position: position,
      behind: max(knownEnd - position, 0)
    )
  }
}

/// A change of a client's knowledge.
package enum AgreementAction<State: Codable & Sendable>: Sendable {
  /// A change that the outbox stores. If it changes the confirmed state, the new state comes with it, so that it isn't reduced
  /// twice.
  case kept(OutboxChange, confirmed: State? = nil)
  case connection(SyncStatus.Connection)
  case knownEnd(Int)

  /// The client has shown one of its own actions that cannot be encoded.
  case cannotEncode(String)

  package var change: OutboxChange? {
    if case .kept(let change, _) = self { change } else { nil }
  }
}

extension AgreementAction: CustomReflectable {
  /// A mirror that only contains the change. The confirmed state just saves a second reduction, and isn't stored.
  package var customMirror: Mirror { Mirror(self, children: change.map { ["change": $0] } ?? [:]) }
}

extension Agreement {
  /// Returns the feature of the store of a client's knowledge.
  ///
  /// - Parameters:
  ///   - initial: The state before the first action of the log.
  ///   - form: Reads the actions of changes that an earlier process has stored.
  ///   - note: Notes what is being reduced, and names the action to avoid.
  ///   - reduce: Reduces the actions.
  static func feature<Action>(
    _ initial: State,
    _ form: SharedForm<State, Action>,
    _ note: ReductionNote?,
    _ reduce: @escaping Reducer<State, Action>
  ) -> Feature<Agreement, AgreementAction<State>> {
    Feature { agreement, action in
      switch action {
      // A stop is final.
      case .connection(let connection): if agreement.connection.stopReason == nil { agreement.connection = connection }
      case .cannotEncode(let reason):
        agreement.unkept = reason
        if agreement.connection.stopReason == nil { agreement.connection = .stopped(.cannotEncode(reason)) }
      case .knownEnd(let end): agreement.knownEnd = max(end, agreement.progress.position)
      case .kept(let change, let confirmed):
        if let confirmed {
          agreement.confirmed = confirmed
        } else {
          agreement.reduceAgain(change, initial, form, note, reduce)
        }
        agreement.note(change)
      }
    }
  }

  private mutating func note(_ change: OutboxChange) {
    switch change {
    case .added(let bytes, let version): progress.add(bytes, version: version)
    case .attempted(let number): progress.attempt(number)
    case .joined(let log): progress.log = log
    case .diverged: progress.isDoubtful = true
    case .forgot(let version): progress.forget(reducerVersion: version)
    case .wentOn(let client, let last, let isCopied): progress.goOn(as: client, behind: last, isCopied: isCopied)
    case .began(let snapshot, let jobs):
      progress.begin(at: snapshot)
      progress.jobs = jobs
    case .confirmed(let actions, let jobs):
      progress.confirm(actions)
      progress.jobs = jobs
    }
    knownEnd = max(knownEnd, progress.position)
  }

  /// Reduces the actions that were confirmed before the program started.
  private mutating func reduceAgain<Action>(
    _ change: OutboxChange,
    _ initial: State,
    _ form: SharedForm<State, Action>,
    _ note: ReductionNote?,
    _ reduce: Reducer<State, Action>
  ) {
    switch change {
    case .forgot: confirmed = initial
    case .began(let snapshot, _):
      read(at: snapshot.position, behind: progress.position) { state in
        state = try SnapshotContent(snapshot).state(form, version: snapshot.version)
      }
    case .confirmed(let actions, _):
      for action in actions {
        read(at: action.position, behind: action.position - 1) { state in
          guard note?.avoided != .position(action.position) else { throw SyncStop.ended(position: action.position) }
          let read = try form.action(action.bytes, version: action.version)
          note?.willReduce(.position(action.position))
          reduce(&state, read)
        }
      }
    case .added, .attempted, .diverged, .joined, .wentOn: break
    }
  }

  private mutating func read(at position: Int, behind readPosition: Int, _ body: (inout State) throws -> Void) {
    guard failure == nil else { return }
    do {
      try body(&confirmed)
    } catch {
      let reason = error as? SyncStop ?? .unreadable(position: position, reason: Confidentiality.description(of: error))
      failure = (reason, readPosition)
      // A later state may be stored in place of the part that couldn't be read.
      progress.isDoubtful = true
    }
  }
}
