/// The loading of parts into a state.
struct Loading<State: Sendable>: Sendable {
  private(set) var state: State
  private(set) var report = LoadReport()
  private let options: LoadOptions

  /// The names of the codings of the stored parts.
  private var codings: [String: String] = [:]

  /// The parts that could not be read.
  private var damaged: [StoredPart] = []

  /// `true` if actions of a journal in the storage belong to another store.
  let isBesideJournal: Bool

  /// - Parameter besideJournal: `true` if the journal of the storage was loaded for another store.
  init(_ state: State, _ options: LoadOptions, isBesideJournal: Bool = false) {
    self.state = state
    self.options = options
    self.isBesideJournal = isBesideJournal
  }

  // MARK: Parts

  mutating func read(_ contents: FolderContents, _ parts: [Persisted<State>]) throws(StorageError) {
    report.findings = contents.findings
    for part in contents.parts { codings[part.name] = part.coding }
    for part in parts {
      report.parts[part.name] = try read(contents.parts.first { $0.name == part.name }, contents, part)
    }
    report.undeclared = contents.parts.map(\.name).filter { report.parts[$0] == nil }
  }

  private mutating func read(
    _ stored: StoredPart?,
    _ contents: FolderContents,
    _ part: Persisted<State>
  ) throws(StorageError) -> LoadReport.Outcome {
    guard let stored else {
      return contents.damagedParts.contains(part.name) ? .damaged(DamagedBytes(), keptAs: nil) : .fresh
    }
    guard stored.version <= part.version else {
      guard options.contains(.keepNewer) else {
        throw .newerPart(part.name, stored: stored.version, known: part.version)
      }
      return .newer(stored.version)
    }
    do {
      var loaded = state
      try part.part.load(stored, into: &loaded)
      state = loaded
      return stored.version < part.version ? .migrated(from: stored.version) : .loaded
    } catch {
      damaged.append(stored)
      return .damaged(error, keptAs: nil)
    }
  }

  /// `true` if a part is stored as it is in the state, by the declared coding.
  func isStored(_ part: Persisted<State>) -> Bool {
    switch report.parts[part.name] {
    case .loaded: codings[part.name] == part.part.coding.name
    case .newer: true
    default: false
    }
  }

  /// `false` if what is stored of a part is newer and must not be replaced.
  func mayBeSaved(_ part: Persisted<State>) -> Bool {
    if case .newer = report.parts[part.name] { false } else { true }
  }

  /// The parts that may be saved, each with `true` if it is stored as it is in the state.
  func saved(_ parts: [Persisted<State>]) -> [(part: Persisted<State>, isStored: Bool)] {
    parts.filter(mayBeSaved).map { ($0, isStored($0)) }
  }

  // MARK: The journal

  /// Reduces the actions of a journal on the state.
  mutating func replay<Action>(
    _ contents: FolderContents,
    _ journal: Journal<State, Action>,
    _ progress: @escaping @Sendable (_ replayed: Int, _ count: Int) -> Void
  ) throws(StorageError) {
    let count = contents.actions.reduce(0) { $0 + $1.actionCount }
    let replay = JournalReplay(journal: journal) { progress($0, count) }
    report.journal = try replay.run(contents.actions, on: &state)
  }

  /// `true` if what is stored cannot be the beginning of what is journaled from now on.
  func needsState(_ contents: FolderContents) -> Bool {
    guard let journal = report.journal, contents.hasState, journal.failure == nil, journal.isOfThisVersion else {
      return true
    }
    let isAsDeclared = report.parts.values.allSatisfy { if case .loaded = $0 { true } else { false } }
    return !isAsDeclared || !journal.otherReducers.isEmpty
  }

  /// Notes the problem that a body throws.
  mutating func noteProblem(_ body: () throws(StorageError) -> Void) {
    do throws(StorageError) {
      try body()
    } catch {
      report.problem = error
    }
  }

  // MARK: What could not be read

  /// Keeps copies of what could not be read.
  mutating func keepAside(_ kept: KeptAside, _ contents: FolderContents) throws(FileError) {
    if report.journal?.failure != nil {
      for log in contents.logs { if let name = try kept.keep(file: log) { report.keptFiles.append(name) } }
    }
    for finding in report.findings {
      guard finding.isDamage, let file = finding.file, let name = try kept.keep(file: file) else { continue }
      if !report.keptFiles.contains(name) { report.keptFiles.append(name) }
    }
    for (name, outcome) in report.parts {
      guard case .damaged(let error, _) = outcome else { continue }
      let stored = damaged.first { $0.name == name }
      let bytes = stored.map { [$0.bytes] + $0.differences }
      let file = try bytes.map { bytes throws(FileError) in try kept.keep(Array(bytes.joined()), of: name) }
      if let file { report.keptFiles.append(file) }
      report.parts[name] = .damaged(error, keptAs: file ?? report.keptFiles.first)
    }
  }
}
