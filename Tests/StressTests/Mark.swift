/// An action of the stress test: who sent it, as which one, through which stores, and what else it is to change.
struct Mark: Sendable {
  enum Kind: Sendable {
    /// Sent by a lane, and reduced for sure, as the action of this number.
    case counted(place: Int)

    /// Sent by a lane to its own child stores: of this generation, through so many of them.
    case temporary(place: Int, generation: Int, levels: Int)

    /// Sent to a child store that another thread may be releasing: perhaps refused.
    case shared(lane: Int, sequence: Int)

    /// Sent from a callback, and reduced for sure.
    case echo

    /// Sent where it may be refused or revoked.
    case stray

    /// Sent by a task, as the action of this number.
    case task(TaskRecord, number: Int)

    /// Sent to the part that is there at times.
    case part
  }

  let slip: Slip
  let kind: Kind
  var change = StressChange.none

  /// Held by the action alone.
  var token: StressToken?

  /// The same mark, as interceptors replace it.
  var replaced: Mark {
    var slip = slip
    slip.fate = .isReplacement
    return Mark(slip: slip, kind: kind, change: change, token: token)
  }
}
