internal import Arbor

internal import struct Foundation.Data

/// The replay of a journal's actions on a state.
struct JournalReplay<State: Sendable, Action: Codable & Sendable> {
  let journal: Journal<State, Action>

  /// The number of actions of the entries.
  let count: Int

  /// Called now and then, and at the end.
  let progress: (JournalProgress) -> Void

  /// The number of actions between two calls of `progress`.
  private static var progressInterval: Int { 4096 }

  /// Reduces the actions of entries, until one cannot be read.
  ///
  /// - Throws: ``StorageError/newerPart(_:stored:known:)``; ``StorageError/otherReducer(_:stored:known:)``.
  func run(_ entries: [LogEntry], on state: inout State) throws(StorageError) -> JournalReport {
    var report = JournalReport()
    let reduce = journal.makeReducer()
    var form = journal.form
    for (index, entry) in entries.enumerated() {
      if case .journal(let next, _) = entry {
        form = next
        guard form.version <= journal.form.version else {
          throw .newerPart("\(Action.self)", stored: form.version, known: journal.form.version)
        }
        report.isOfThisVersion = report.isOfThisVersion && form.version == journal.form.version
        if form.reducerVersion != journal.form.reducerVersion { report.otherReducers.insert(form.reducerVersion) }
      } else if case .actions = entry, form.reducerVersion != journal.form.reducerVersion,
        journal.reducerChange == .beginWithSnapshot
      {
        throw .otherReducer(
          "\(Action.self)", stored: form.reducerVersion, known: journal.form.reducerVersion)
      }
      do {
        let changes = try self.reduce(entry, form) { action in
          reduce(&state, action)
          report.replayed += 1
          if report.replayed.isMultiple(of: Self.progressInterval) { tell(report) }
        }
        for path in changes.dropped { report.dropped[path, default: 0] += 1 }
        // Another default may be there at the next start.
        if changes.isCompleted { report.isOfThisVersion = false }
      } catch {
        report.failure = error
        report.lost = entries[index...].reduce(0) { $0 + $1.actionCount }
        break
      }
    }
    tell(report)
    return report
  }

  private func tell(_ report: JournalReport) {
    progress(JournalProgress(replayed: report.replayed, count: count))
  }

  /// Changes of the actions of an entry, by which they are not what was journaled.
  private struct Changes {
    /// The paths for which migrations have dropped actions.
    var dropped: [String] = []

    /// `true` if an action lacked properties, which have their defaults.
    var isCompleted = false
  }

  /// Calls a function with the actions of an entry: all but those that migrations drop, or none.
  private func reduce(_ entry: LogEntry, _ form: JournalForm, _ reduce: (Action) -> Void) throws -> Changes {
    var changes = Changes()
    guard case .actions(let actions) = entry else { return changes }
    // Of most steps there is one, for which no array is made.
    if actions.count == 1 {
      if let action = try action(actions[0], form, &changes) { reduce(action) }
    } else {
      for action in try actions.compactMap({ try action($0, form, &changes) }) { reduce(action) }
    }
    return changes
  }

  /// Reads an action; nil if a migration drops it.
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

  /// The versions of reducers other than the declared one that had reduced actions of the journal.
  public internal(set) var otherReducers: Set<Int> = []

  /// The reason why actions could not be reduced again; nil if all were. Their files are kept aside.
  ///
  /// - A ``StoredValueError`` if one cannot be read, or ``OtherReducer``.
  public internal(set) var failure: (any Error)?

  /// The number of actions that were found, and not reduced again. What was in damaged bytes is not counted: the findings
  /// tell of it.
  public internal(set) var lost = 0

  /// The numbers of actions that migrations have dropped, by the paths for which they did: mostly the names of enum cases.
  /// They were not reduced again, and are neither lost nor kept.
  public internal(set) var dropped: [String: Int] = [:]

  /// The names of stored parts on which the actions were not reduced again, though they had changed them: these parts were
  /// not declared, or cannot be read. The files of the actions are kept aside.
  public internal(set) var incompleteParts: [String] = []

  /// `true` if all actions were journaled in the declared version.
  var isOfThisVersion = true
}

/// The progress of the replay of a journal.
public struct JournalProgress: Hashable, Sendable {
  /// The number of actions that were reduced again.
  public let replayed: Int

  /// The number of all actions of the journal.
  public let count: Int
}

extension LogEntry {
  /// The number of actions in the entry.
  var actionCount: Int {
    if case .actions(let actions) = self { actions.count } else { 0 }
  }
}
