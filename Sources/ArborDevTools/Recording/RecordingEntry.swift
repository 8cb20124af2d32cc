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

    /// The number of the action, unique in its recording.
    ///
    /// - For a recorded store, it is ``/Arbor/ActionRecord/number``.
    public var id: Int { note.number }

    /// `true` if the action is left out, so that the states after it equal those before it.
    public internal(set) var isSkipped: Bool {
      get { note.isSkipped }
      set { note.isSkipped = newValue }
    }

    /// `true`, except for an action of a batch that isn't its last one: no observer was called after it.
    public var isLastOfStep: Bool { note.isLastOfStep }

    /// `true` if the action was read from a file.
    var isImported: Bool { note.isImported }

    /// The number of the store to which the action was dispatched (``/Arbor/MonitoredStore/id``); nil for an action that
    /// was performed on the recording.
    public var store: UInt64? { note.store == 0 ? nil : note.store }

    /// The cause of the action.
    public var cause: ActionCause { note.cause }

    /// The action as it was dispatched.
    public var action: any Sendable {
      if let action = note.details?.action { return action }
      guard case .reduced(let action) = root else {
        preconditionFailure("an entry has its action in one of two places")
      }
      return action
    }

    /// The action that the root's reducer received; nil if it received none, or if that action can't be reduced again.
    public var rootAction: Action? {
      if case .reduced(let action) = root { action } else { nil }
    }

    /// The outcome of the action.
    public var outcome: ActionOutcome { note.details?.outcome ?? .reduced }

    /// The times of the action; nil if they were not measured. The durations are rounded to seven digits.
    public var times: ActionTimes? { note.times.times }

    /// `true` if the action contains a change that can't be repeated: a commit whose caller waited for it.
    ///
    /// After it, the states always stay as they were recorded, even if you change earlier actions.
    public var isBarrier: Bool { note.details?.isBarrier == true }

    /// The numbers of the stores below the root that reduced the action, starting with the one to which it was
    /// dispatched.
    public var reducingStores: [UInt64] { note.steps.map(\.store) }
  }

  /// The effect of an action on the root's state.
  enum RootStep: Sendable {
    case none
    case reduced(Action)

    /// The state that was recorded after an action that can't be reduced again, or that a file contains; nil if it can't
    /// be read.
    indirect case recorded(@Sendable () -> State?)
  }
}

extension Recording {
  /// The actions of a recording, in order. The index of an action is the position before it.
  ///
  /// - The collection keeps the recording as it was, and shares its memory.
  public struct Entries: RandomAccessCollection, Sendable {
    let recording: Recording

    /// The index of the first action: 0.
    public var startIndex: Int { 0 }

    /// The number of actions.
    public var endIndex: Int { recording.count }

    /// The action at an index, made for each access in constant time.
    ///
    /// - Parameter index: The position before the action. An index out of range stops the program.
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
    An action of a recording was read at an index that the recording doesn't have. Only use indices of `entries`, from \
    0 up to its count, or `entry(_:)`, which throws for a number that no action has.
    """
  )
}
