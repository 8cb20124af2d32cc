internal import Arbor

public import struct Foundation.Data

/// The replay of a journal's actions on a state.
struct JournalReplay<State: Sendable, Action: Codable & Sendable> {
  let journal: Journal<State, Action>

  /// The number of actions of the entries.
  let count: Int

  /// Called from time to time, and at the end.
  let progress: (JournalProgress) -> Void

  /// The number of actions between two calls of `progress`.
  private static var progressInterval: Int { 4096 }

  /// Reduces the actions of a folder. It skips steps that can't be read, and steps at which two processes have ended.
  ///
  /// - Parameter note: Records the progress; nil if nothing is written.
  /// - Throws: ``StorageError/newerPart(_:stored:known:)``; ``StorageError/otherReducer(_:stored:known:)``.
  func run(
    _ contents: FolderContents,
    on state: inout State,
    _ note: LoadNote?
  ) throws(StorageError) -> JournalReport {
    var report = JournalReport()
    let reduce = journal.makeReducer()
    var form = journal.form
    note?.begin(steps: contents.actions.count)
    for (entry, number) in zip(contents.actions, contents.actionNumbers) {
      switch entry {
      case .parts: break
      case .journal(let next, _):
        form = next
        try check(form, &report)
      case .actions(let actions):
        if form.reducerVersion != journal.form.reducerVersion, journal.reducerChange == .beginWithSnapshot {
          throw .otherReducer("\(Action.self)", stored: form.reducerVersion, known: journal.form.reducerVersion)
        }
        do {
          if note?.skips(number) == true { throw LoadCrash() }
          note?.begin(step: number)
          let changes = try self.reduce(actions, form) { action in reduce(&state, action) }
          for path in changes.dropped { report.dropped[path, default: 0] += 1 }
          // The default may have changed by the next start.
          if changes.isCompleted { report.isOfThisVersion = false }
          let before = report.replayed
          report.replayed += actions.count - changes.dropped.count
          guard before / Self.progressInterval < report.replayed / Self.progressInterval else { continue }
          note?.pause()
          tell(report)
        } catch {
          report.skipped.append(
            JournalReport.SkippedStep(
              entry: number, file: contents.log(of: number), actions: actions.map { Data($0) }, reason: error))
        }
      }
    }
    note?.pause()
    tell(report)
    return report
  }

  private func check(_ form: JournalForm, _ report: inout JournalReport) throws(StorageError) {
    guard form.version <= journal.form.version else {
      throw .newerPart("\(Action.self)", stored: form.version, known: journal.form.version)
    }
    report.isOfThisVersion = report.isOfThisVersion && form.version == journal.form.version
    if form.reducerVersion != journal.form.reducerVersion { report.otherReducers.insert(form.reducerVersion) }
  }

  private func tell(_ report: JournalReport) {
    progress(JournalProgress(replayed: report.replayed, count: count))
  }

  /// The changes to a step's actions before they are reduced, which make them differ from the journal.
  private struct Changes {
    /// The paths for which migrations have dropped actions.
    var dropped: [String] = []

    /// `true` if an action lacked properties that were taken from defaults.
    var isCompleted = false
  }

  /// Calls a function with the actions of a step, except those that migrations drop. Calls it with none if one can't be
  /// read.
  private func reduce(
    _ actions: [ArraySlice<UInt8>],
    _ form: JournalForm,
    _ reduce: (Action) -> Void
  ) throws(StoredValueError) -> Changes {
    var changes = Changes()
    // Most steps have one action, and need no array.
    if actions.count == 1 {
      if let action = try action(actions[0], form, &changes) { reduce(action) }
    } else {
      var readable: [Action] = []
      for bytes in actions {
        if let action = try action(bytes, form, &changes) { readable.append(action) }
      }
      for action in readable { reduce(action) }
    }
    return changes
  }

  /// Reads an action; returns nil if a migration drops it.
  private func action(
    _ bytes: ArraySlice<UInt8>,
    _ form: JournalForm,
    _ changes: inout Changes
  ) throws(StoredValueError) -> Action? {
    // Most actions need no migration.
    if form == journal.form, let action = try? journal.coding.decode(Action.self, from: Data(bytes)) { return action }
    do throws(StoredValueError) {
      let (action, completed) = try journal.migrations.read(
        Action.self, (Array(bytes), [], form.version, form.coding), declared: journal.coding)
      if !completed.isEmpty { changes.isCompleted = true }
      return action
    } catch {
      guard case .dropped = error.reason else { throw error }
      changes.dropped.append(error.path)
      return nil
    }
  }
}

/// A report of the replay of a journal.
public struct JournalReport: Sendable {
  /// The number of actions that were reduced again.
  public internal(set) var replayed = 0

  /// The versions of reducers other than the declared one that have reduced actions of the journal.
  public internal(set) var otherReducers: Set<Int> = []

  /// The steps that weren't reduced again, in order. The bytes of their actions are kept aside, in one file. Actions in
  /// damaged bytes aren't included; see the findings.
  public internal(set) var skipped: [SkippedStep] = []

  /// The numbers of actions that migrations have dropped, by path, which is usually the name of an enum case. They
  /// weren't reduced again, and are neither lost nor kept.
  public internal(set) var dropped: [String: Int] = [:]

  /// The names of stored parts that the actions had changed, but on which they weren't reduced again. These parts
  /// weren't declared, or can't be read. The files with the actions are kept aside.
  public internal(set) var incompleteParts: [String] = []

  /// `true` if all actions were journaled in the declared version.
  var isOfThisVersion = true

  /// A step of a journal that wasn't reduced again, because its actions can't be decoded or because two processes have
  /// ended while they reduced them.
  public struct SkippedStep: Sendable {
    /// The number of the step's entry.
    public let entry: UInt64

    /// The name of the log that contained the step.
    public let file: String

    /// The bytes of the step's actions, as encoded by the journal's coding.
    public let actions: [Data]

    /// The reason: an error of decoding or of a migration, or ``LoadCrash``.
    public let reason: any Error
  }
}

/// The error of a stored part or a journaled step that is skipped, because two processes have ended while they read or
/// reduced it.
public struct LoadCrash: Error, Hashable, Sendable, CustomStringConvertible {
  package init() {}

  /// The reason, as one sentence.
  public var description: String { "the program ended there twice" }
}

/// The progress of the replay of a journal.
public struct JournalProgress: Hashable, Sendable {
  /// The number of actions that were reduced again.
  public let replayed: Int

  /// The total number of actions in the journal.
  public let count: Int
}

extension LogEntry {
  /// The number of actions in the entry.
  var actionCount: Int {
    if case .actions(let actions) = self { actions.count } else { 0 }
  }
}
