public import Arbor

extension Recording {
  /// An action of a recording.
  public struct Entry: Identifiable, Sendable {
    /// The number of the action, which no other action of its recording has.
    ///
    /// - Of a recorded store, it is ``/Arbor/ActionRecord/number``.
    public let id: Int

    /// The effect of the action on the root's state.
    let root: RootStep

    /// `true` if the action is left out: the states after it are those before it.
    public internal(set) var isSkipped = false

    /// `true` if the action was read from a file.
    let isImported: Bool

    /// `true` except for the actions of a batch before its last one, after which no observer was called.
    public let isLastOfStep: Bool

    /// The number of the store to which the action was dispatched (``/Arbor/MonitoredStore/id``); nil of an action that
    /// was performed on the recording.
    public var store: UInt64? { storeID == 0 ? nil : storeID }

    /// The cause of the action.
    public let cause: ActionCause

    private let storeID: UInt64
    private let compactTimes: CompactTimes
    let details: Details?

    /// Makes the entry of an action that was performed on the recording.
    init(_ id: Int, _ action: Action) {
      self.init(id, .reduced(action))
    }

    init(
      _ id: Int,
      _ root: RootStep,
      store: UInt64 = 0,
      cause: ActionCause = .outside,
      times: ActionTimes? = nil,
      isLastOfStep: Bool = true,
      isImported: Bool = false,
      _ details: Details? = nil
    ) {
      self.id = id
      self.root = root
      self.isLastOfStep = isLastOfStep
      self.isImported = isImported
      self.cause = cause
      storeID = store
      compactTimes = CompactTimes(times)
      self.details = details
    }

    /// The action, as it was dispatched.
    public var action: any Sendable {
      if let action = details?.action { return action }
      guard case .reduced(let action) = root else {
        preconditionFailure("an entry has its action in one of two places")
      }
      return action
    }

    /// The action that the root's reducer has received; nil if none has reached it, or if it cannot be reduced again.
    public var rootAction: Action? {
      if case .reduced(let action) = root { action } else { nil }
    }

    /// The outcome of the action.
    public var outcome: ActionOutcome { details?.outcome ?? .reduced }

    /// The times of the action; nil if they were not measured. The durations are rounded to seven digits.
    public var times: ActionTimes? { compactTimes.times }

    /// `true` if the action contains a change that nobody can make again: a commit whose caller has waited for it. Behind
    /// it, the states are as they were recorded, whatever is changed before.
    public var isBarrier: Bool { details?.isBarrier == true }

    /// The numbers of the stores below the root that have reduced the action, from the one to which it was dispatched.
    public var reducingStores: [UInt64] { details?.steps.map(\.store) ?? [] }
  }

  /// The effect of an action on the root's state.
  enum RootStep: Sendable {
    case none
    case reduced(Action)

    /// The state that was recorded after the action, which cannot be reduced again.
    indirect case recorded(State)

    /// The state that a file has after the action; nil if it cannot be read.
    indirect case file(@Sendable () -> State?)
  }
}

/// The effect of an action on the state of a store below the root.
enum ChildStep: Sendable {
  case reduced(any Sendable)

  /// The state that was recorded after the action, which cannot be reduced again.
  case recorded(any Sendable)

  /// The moment of a file that has the state after the action.
  case file(FileMoment)
}

extension Recording.Entry {
  /// The part of an entry that most entries have not.
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

/// The times of an action in 28 bytes.
private struct CompactTimes: Sendable {
  // Nanoseconds; the smallest number if they were not measured.
  private let accepted: Int64
  private let waited: Float
  private let intercepted: Float
  private let reduced: Float
  private let performed: Float
  private let delivered: Float

  init(_ times: ActionTimes?) {
    accepted = times?.accepted.nanoseconds ?? .min
    func compact(_ duration: Duration?) -> Float { Float(duration?.nanoseconds ?? 0) }
    waited = compact(times?.waited)
    intercepted = compact(times?.intercepted)
    reduced = compact(times?.reduced)
    performed = compact(times?.performed)
    delivered = compact(times?.delivered)
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
