internal import Arbor

/// All that a recording keeps of an action, but for values of the root's types.
struct ActionNote: Sendable {
  /// The effect of the action on the root's state: where the value is that it takes, in its block of notes.
  enum RootStep: Sendable {
    case none
    case reduced(at: Int)

    /// The state that was recorded after the action, which cannot be reduced again.
    case recorded(at: Int)
  }

  let number: Int

  /// The number of the store to which the action was dispatched; 0 for none.
  let store: UInt64
  let cause: ActionCause

  /// The part that most actions have not.
  let details: Details?
  var root = RootStep.none
  var isLastOfStep = true
  var isSkipped = false
  let times: CompactTimes

  /// The steps of the stores below the root, from the one to which the action was dispatched.
  var steps: [(store: UInt64, step: ChildStep)] { details?.steps ?? [] }

  final class Details: Sendable {
    /// The action as it was dispatched; nil if that is the root's.
    let action: (any Sendable)?
    let steps: [(store: UInt64, step: ChildStep)]
    let outcome: ActionOutcome
    let isBarrier: Bool

    init(
      action: (any Sendable)?,
      steps: [(store: UInt64, step: ChildStep)] = [],
      outcome: ActionOutcome = .reduced,
      isBarrier: Bool = false
    ) {
      self.action = action
      self.steps = steps
      self.outcome = outcome
      self.isBarrier = isBarrier
    }
  }
}

/// The effect of an action on the state of a store below the root.
enum ChildStep: Sendable {
  case reduced(any Sendable)

  /// The state that was recorded after the action, which cannot be reduced again.
  case recorded(any Sendable)
}

/// The times of an action in 28 bytes.
struct CompactTimes: Sendable {
  // Nanoseconds; the smallest number if they were not measured.
  private let accepted: Int64
  private let waited: Float
  private let intercepted: Float
  private let reduced: Float
  private let performed: Float
  private let delivered: Float

  init(_ times: ActionNanoseconds?) {
    accepted = times?.accepted ?? .min
    waited = Float(times?.waited ?? 0)
    intercepted = Float(times?.intercepted ?? 0)
    reduced = Float(times?.reduced ?? 0)
    performed = Float(times?.performed ?? 0)
    delivered = Float(times?.delivered ?? 0)
  }

  var times: ActionTimes? {
    guard accepted != .min else { return nil }
    func duration(_ nanoseconds: Float) -> Duration { .nanoseconds(Int64(exactly: nanoseconds.rounded()) ?? .max) }
    return ActionTimes(
      accepted: .nanoseconds(accepted),
      waited: duration(waited),
      intercepted: duration(intercepted),
      reduced: duration(reduced),
      performed: duration(performed),
      delivered: duration(delivered)
    )
  }
}
