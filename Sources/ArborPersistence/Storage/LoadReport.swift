internal import Arbor

/// A report about a load from a storage.
public struct LoadReport: Sendable {
  /// The outcome of loading a part.
  public enum Outcome: Sendable, Equatable {
    /// No value is stored, and none can have been lost by damage. The part keeps its value from the given state.
    case fresh

    /// The stored value is in the state.
    case loaded

    /// The stored value had an older version, and the state has its migrated value.
    case migrated(from: Int)

    /// The stored value couldn't be read. The part keeps its value from the given state.
    ///
    /// - The reason is a ``StoredValueError``, or ``DamagedBytes``.
    /// - The stored bytes are kept in a file of the storage's folder with this name. The name is nil if no file has
    ///   them, or if the parts were read without owning the storage, which never writes.
    case damaged(any Error, keptAs: String?)

    /// The stored value has a newer version. The part keeps its value from the given state, and isn't saved by this
    /// process.
    case newer(Int)

    /// Compares two outcomes. Errors are compared by their own `==`, or by their descriptions if their type has none.
    ///
    /// - Parameters:
    ///   - left: An outcome.
    ///   - right: Another outcome.
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
      // Cast through `Any`, because the compiler assumes that the cast of an error always succeeds.
      if let left = left as Any as? any Equatable { return isEqual(left) }
      return type(of: left) == type(of: right) && "\(left)" == "\(right)"
    }
  }

  /// The outcome for each declared part, by its name.
  public internal(set) var parts: [String: Outcome] = [:]

  /// The paths of properties that stored parts lacked, by the names of the parts.
  ///
  /// - They keep their values from the given state, or take them from ``StoredDefaults``. `*` stands for each element
  ///   of an array.
  public internal(set) var completed: [String: [String]] = [:]

  /// The names of stored parts that were not declared. They are kept.
  public internal(set) var undeclared: [String] = []

  /// The differences between the files and what was written to them.
  public internal(set) var findings: [FolderFinding] = []

  /// The report of the replay of the journal; nil if none was declared.
  public internal(set) var journal: JournalReport?

  /// The names of the files that were kept aside because of the findings.
  public internal(set) var keptFiles: [String] = []

  /// The error of writing the stored data again, if a journal requires that; nil if there was none. The write is
  /// retried with the next save.
  public internal(set) var problem: StorageError?

  /// Makes the report of a load that has found nothing.
  package init() {}

  /// The error of a part whose bytes are damaged.
  public struct DamagedBytes: Error, Hashable, Sendable, CustomStringConvertible {
    /// The reason, as one sentence.
    public var description: String { "its bytes are damaged" }
  }

  /// One sentence for each noteworthy result. Fresh and loaded parts aren't mentioned.
  public var notes: [String] {
    var notes = findings.map(\.description)
    for (name, outcome) in parts.sorted(by: { $0.key < $1.key }) {
      switch outcome {
      case .fresh, .loaded: break
      case .migrated(let version): notes.append("\(name) was migrated from version \(version)")
      case .damaged(let error as StoredValueError, _): notes.append("\(error)")
      case .damaged(let error, _): notes.append("\(name) cannot be read: \(Confidentiality.description(of: error))")
      case .newer(let version): notes.append("\(name) has version \(version), which is newer, and is left unchanged")
      }
    }
    for (name, paths) in completed.sorted(by: { $0.key < $1.key }) {
      notes.append("\(name) was stored without \(paths.joined(separator: ", ")), so defaults are used")
    }
    notes += undeclared.map { "\($0) is stored but not declared, and is left unchanged" }
    let skipped = journal?.skipped ?? []
    for step in skipped.prefix(10) {
      notes.append("entry \(step.entry) in \(step.file) was not reduced again: \(step.reason)")
    }
    if skipped.count > 10 { notes.append("\(skipped.count - 10) more entries were not reduced again") }
    for (path, count) in (journal?.dropped ?? [:]).sorted(by: { $0.key < $1.key }) {
      notes.append("\(count) actions were dropped by a migration\(path.isEmpty ? "" : ": \(path)")")
    }
    for name in journal?.incompleteParts ?? [] {
      notes.append("\(name) doesn't include the changes that the journal's actions made to it")
    }
    notes += keptFiles.map { "unreadable data is kept in \($0)" }
    if let problem { notes.append("\(problem)") }
    return notes
  }
}
