internal import Arbor

/// A report of what was found in a storage.
public struct LoadReport: Sendable {
  /// The outcome of loading a part.
  public enum Outcome: Sendable, Equatable {
    /// Nothing is stored, and nothing is damaged in which it may have been: the part is that of the state that was given.
    case fresh

    /// The stored value is in the state.
    case loaded

    /// The stored value was of an older version, and its migration is in the state.
    case migrated(from: Int)

    /// The stored value could not be read, for a reason: the part is that of the state that was given.
    ///
    /// - The reason is a ``StoredValueError``, or ``DamagedBytes``.
    /// - The stored bytes are kept in a file of the storage's folder, which is named here; nil if no file has them, or if
    ///   they were read beside the owner of the storage, where nothing is written.
    case damaged(any Error, keptAs: String?)

    /// The stored value is of a newer version: the part is that of the state that was given, and is not saved by this
    /// process.
    case newer(Int)

    /// Compares outcomes. Errors are equal by their own `==`; those of a type without one, by their descriptions.
    ///
    /// - Parameters:
    ///   - left: An outcome.
    ///   - right: Another one.
    public static func == (left: Outcome, right: Outcome) -> Bool {
      switch (left, right) {
      case (.fresh, .fresh), (.loaded, .loaded): true
      case (.migrated(let left), .migrated(let right)), (.newer(let left), .newer(let right)): left == right
      case (.damaged(let left, let leftFile), .damaged(let right, let rightFile)):
        leftFile == rightFile && areEqual(left, right)
      default: false
      }
    }

    private static func areEqual(_ left: any Error, _ right: any Error) -> Bool {
      func isEqual<Left: Equatable>(_ left: Left) -> Bool { left == right as? Left }
      // Through `Any`: the compiler takes the cast of an error for one that always succeeds.
      if let left = left as Any as? any Equatable { return isEqual(left) }
      return type(of: left) == type(of: right) && "\(left)" == "\(right)"
    }
  }

  /// The outcome for each declared part, by its name.
  public internal(set) var parts: [String: Outcome] = [:]

  /// The paths of properties that stored parts lacked, by the names of the parts.
  ///
  /// - They are as in the state that was given, or as ``StoredDefaults`` say. `*` stands for each element of an array.
  public internal(set) var completed: [String: [String]] = [:]

  /// The names of stored parts that were not declared. They are kept.
  public internal(set) var undeclared: [String] = []

  /// The findings in the files: each tells what is not as it was written.
  public internal(set) var findings: [FolderFinding] = []

  /// The report of the replay of the journal; nil if none was declared.
  public internal(set) var journal: JournalReport?

  /// The names of the files that were kept aside because of the findings.
  public internal(set) var keptFiles: [String] = []

  /// The reason why what is stored could not be written anew, where a journal needs that; nil if it was, or need not be.
  /// It is tried again with the next save.
  public internal(set) var problem: StorageError?

  /// Makes the report of a load that has found nothing.
  package init() {}

  /// The error of a part whose bytes are not what was written.
  public struct DamagedBytes: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as one sentence.
    public var description: String { "its bytes are not what was written" }
  }

  /// A sentence for each thing that a person may want to know: not for parts that are fresh or were loaded.
  public var notes: [String] {
    var notes = findings.map(\.description)
    for (name, outcome) in parts.sorted(by: { $0.key < $1.key }) {
      switch outcome {
      case .fresh, .loaded: break
      case .migrated(let version): notes.append("\(name) was migrated from version \(version)")
      case .damaged(let error as StoredValueError, _): notes.append("\(error)")
      case .damaged(let error, _): notes.append("\(name) cannot be read: \(Confidentiality.description(of: error))")
      case .newer(let version): notes.append("\(name) is of version \(version), which is newer, and is left as it is")
      }
    }
    for (name, paths) in completed.sorted(by: { $0.key < $1.key }) {
      notes.append("\(name) was stored without \(paths.joined(separator: ", ")), which begins with a default")
    }
    notes += undeclared.map { "\($0) is stored and not declared, and is left as it is" }
    let skipped = journal?.skipped ?? []
    for step in skipped.prefix(10) {
      notes.append("entry \(step.entry) in \(step.file) was not reduced again: \(step.reason)")
    }
    if skipped.count > 10 { notes.append("\(skipped.count - 10) more entries were not reduced again") }
    for (path, count) in (journal?.dropped ?? [:]).sorted(by: { $0.key < $1.key }) {
      notes.append("\(count) actions were dropped by a migration\(path.isEmpty ? "" : ": \(path)")")
    }
    for name in journal?.incompleteParts ?? [] {
      notes.append("\(name) is as it was before the actions of the journal, which have changed it")
    }
    notes += keptFiles.map { "what could not be read is kept in \($0)" }
    if let problem { notes.append("\(problem)") }
    return notes
  }
}
