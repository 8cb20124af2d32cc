internal import Arbor

/// Everything that a recording keeps of an action, except for values of the root's types.
struct ActionNote: Sendable {
  /// The effect of the action on the root's state, with the place of its value in the block of notes.
  enum RootStep: Sendable {
    case none
    case reduced(at: Int)

    /// The state that was recorded after an action that can't be reduced again, or that a file contains.
    case recorded(at: Int)
  }

  let number: Int

  /// The number of the store to which the action was dispatched; 0 for none.
  var store: UInt64 = 0
  var cause = ActionCause.outside

  /// The part that most actions don't need.
  var details: Details?
  var root = RootStep.none
  var isLastOfStep = true

  /// `true` if the action was read from a file.
  var isImported = false
  var isSkipped = false
  var times = CompactTimes(nil)

  /// The steps of the stores below the root, starting with the one to which the action was dispatched.
  var steps: [(store: UInt64, step: ChildStep)] { details?.steps ?? [] }

  /// The details of an action that the root didn't reduce as it was dispatched there. Rare details are in a separate
  /// object.
  final class Details: Sendable {
    /// The action as it was dispatched; nil if that is the root's action.
    let action: (any Sendable)?
    let isBarrier: Bool

    /// The only store below the root that reduced ``action``; 0 if there is none, or if ``rest`` has the steps.
    private let onlyStore: UInt64
    private let loggedOutcome: LoggedOutcome
    private let rest: Rest?

    private final class Rest: Sendable {
      let steps: [(store: UInt64, step: ChildStep)]
      let replacement: (any Sendable)?

      init(steps: [(store: UInt64, step: ChildStep)], replacement: (any Sendable)?) {
        self.steps = steps
        self.replacement = replacement
      }
    }

    init(
      action: (any Sendable)?,
      steps: [(store: UInt64, step: ChildStep)] = [],
      outcome: ActionOutcome = .reduced,
      isBarrier: Bool = false
    ) {
      self.action = action
      self.isBarrier = isBarrier
      onlyStore = 0
      let replacement: (any Sendable)? = if case .replaced(let replacement) = outcome { replacement } else { nil }
      loggedOutcome = LoggedOutcome(outcome)
      rest = steps.isEmpty && replacement == nil ? nil : Rest(steps: steps, replacement: replacement)
    }

    /// Makes the details of an action that was reduced as it was dispatched, by a single store below the root.
    init(_ action: any Sendable, reducedBy store: UInt64) {
      self.action = action
      isBarrier = false
      onlyStore = store
      loggedOutcome = .reduced
      rest = nil
    }

    /// The steps of the stores below the root, starting with the one to which the action was dispatched.
    var steps: [(store: UInt64, step: ChildStep)] {
      if onlyStore != 0, let action { [(onlyStore, .reduced(action))] } else { rest?.steps ?? [] }
    }

    /// Returns the step of one of these stores; nil if it has none.
    func step(of store: UInt64) -> ChildStep? {
      if onlyStore == store, let action { return .reduced(action) }
      return rest?.steps.first { $0.store == store }?.step
    }

    var outcome: ActionOutcome { ActionOutcome(loggedOutcome, replacement: rest?.replacement) }
  }
}

extension ActionOutcome {
  /// - Parameter replacement: The action that was reduced in place of a replaced one.
  init(_ outcome: LoggedOutcome, replacement: (any Sendable)?) {
    self =
      switch outcome {
      case .reduced: .reduced
      case .replaced: .replaced(by: replacement ?? ())
      case .dropped: .dropped
      case .held: .held
      case .revoked: .revoked
      case .failed: .failed
      }
  }
}

/// The effect of an action on the state of a store below the root.
enum ChildStep: Sendable {
  case reduced(any Sendable)

  /// The state that was recorded after an action that can't be reduced again.
  case recorded(any Sendable)

  /// The place in a file that contains the state after the action.
  case file(FileMoment)
}

/// The times of an action, in 28 bytes.
struct CompactTimes: Sendable {
  // In nanoseconds; the smallest number if the times weren't measured.
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
    let durations = [waited, intercepted, reduced, performed, delivered].map(duration)
    return ActionTimes([.nanoseconds(accepted)] + durations)
  }
}
