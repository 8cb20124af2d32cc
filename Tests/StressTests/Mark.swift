/// An action of the stress test: its sender, its number, its path of stores, and its other changes.
struct Mark: Sendable {
  enum Kind: Sendable {
    /// Sent by a lane, and certainly reduced, with this number.
    case counted(place: Int)

    /// Sent by a lane to its own child stores of a generation, through a number of them.
    case temporary(place: Int, generation: Int, levels: Int)

    /// Sent to a child store that another thread may be releasing, so it may be refused.
    case shared(lane: Int, sequence: Int)

    /// Sent from a callback, and certainly reduced.
    case echo

    /// Sent where it may be refused or revoked.
    case stray

    /// Sent by a task, with this number.
    case task(TaskRecord, number: Int)

    /// Sent to the optional part.
    case part
  }

  let slip: Slip
  let kind: Kind
  var change = StressChange.none

  /// Held only by the action.
  var token: StressToken?

  /// The mark that interceptors put in its place.
  var replaced: Mark {
    var slip = slip
    slip.fate = .isReplacement
    return Mark(slip: slip, kind: kind, change: change, token: token)
  }
}
