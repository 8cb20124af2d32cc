public import Arbor

extension Recording {
  /// An action of a recording.
  public struct Entry: Identifiable, Sendable {
    var note: ActionNote

    /// The effect of the action on the root's state.
    let root: RootStep

    init(_ note: ActionNote, _ root: RootStep) {
      self.note = note
      self.root = root
    }

    /// The number of the action, which no other action of its recording has.
    ///
    /// - Of a recorded store, it is ``/Arbor/ActionRecord/number``.
    public var id: Int { note.number }

    /// `true` if the action is left out: the states after it are those before it.
    public internal(set) var isSkipped: Bool {
      get { note.isSkipped }
      set { note.isSkipped = newValue }
    }

    /// `true` except for the actions of a batch before its last one, after which no observer was called.
    public var isLastOfStep: Bool { note.isLastOfStep }

    /// `true` if the action was read from a file.
    var isImported: Bool { note.isImported }

    /// The number of the store to which the action was dispatched (``/Arbor/MonitoredStore/id``); nil of an action that
    /// was performed on the recording.
    public var store: UInt64? { note.store == 0 ? nil : note.store }

    /// The cause of the action.
    public var cause: ActionCause { note.cause }

    /// The action, as it was dispatched.
    public var action: any Sendable {
      if let action = note.details?.action { return action }
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
    public var outcome: ActionOutcome { note.details?.outcome ?? .reduced }

    /// The times of the action; nil if they were not measured. The durations are rounded to seven digits.
    public var times: ActionTimes? { note.times.times }

    /// `true` if the action contains a change that nobody can make again: a commit whose caller has waited for it. Behind
    /// it, the states are as they were recorded, whatever is changed before.
    public var isBarrier: Bool { note.details?.isBarrier == true }

    /// The numbers of the stores below the root that have reduced the action, from the one to which it was dispatched.
    public var reducingStores: [UInt64] { note.steps.map(\.store) }
  }

  /// The effect of an action on the root's state.
  enum RootStep: Sendable {
    case none
    case reduced(Action)

    /// The state that was recorded after the action, which cannot be reduced again, or that a file has after it; nil if that
    /// cannot be read.
    indirect case recorded(@Sendable () -> State?)
  }
}

extension Recording {
  /// The actions of a recording, in order: the index of one is the position before it.
  ///
  /// - It keeps the recording as it was, and shares its memory.
  public struct Entries: RandomAccessCollection, Sendable {
    let recording: Recording

    /// The index of the first action: 0.
    public var startIndex: Int { 0 }

    /// The number of actions.
    public var endIndex: Int { recording.count }

    /// The action at an index, which is made anew each time, in constant time.
    ///
    /// - Parameter index: The position before the action; one that is not there stops the program.
    public subscript(index: Int) -> Entry {
      guard indices.contains(index) else {
        Misuse.readingNoAction.stop(about: "index \(index) of a recording of \(count) actions")
      }
      return recording[entryAt: index]
    }
  }

  /// The actions, in order.
  public var entries: Entries { Entries(recording: self) }
}

/// A misuse of the actions of a recording.
extension Misuse {
  fileprivate static let readingNoAction = Misuse(
    """
    an action of a recording was read at an index that the recording doesn't have. Only use indices of `entries`, from \
    0 up to its count, or `entry(_:)`, which throws for a number that no action has.
    """
  )
}
