/// The loading of parts into a state.
struct Loading<State: Sendable>: Sendable {
  private(set) var state: State
  private(set) var report = LoadReport()
  private let options: LoadOptions

  /// The names of the codings of the stored parts.
  private var codings: [String: String] = [:]

  /// The parts that could not be read.
  private var damaged: [StoredPart] = []

  /// The copies of the files with findings, by the names of the files.
  private var copies: [String: String] = [:]

  /// `true` if parts were loaded that the stored actions of the journal couldn't change, but later actions can.
  private var hasUnchangedParts = false

  /// `true` if the journal of the storage belongs to another store.
  let isBesideJournal: Bool

  /// Begins a load into a state.
  ///
  /// - Parameter isBesideJournal: `true` if the journal of the storage was loaded for another store.
  init(_ state: State, _ options: LoadOptions, isBesideJournal: Bool = false) {
    self.state = state
    self.options = options
    self.isBesideJournal = isBesideJournal
  }

  // MARK: Parts

  /// Reads the parts.
  ///
  /// - Parameter note: Records the progress; nil if nothing is written.
  mutating func read(
    _ contents: FolderContents,
    _ parts: [Persisted<State>],
    _ note: LoadNote?
  ) throws(StorageError) {
    report.findings = contents.findings
    for part in contents.parts { codings[part.name] = part.coding }
    for part in parts {
      report.parts[part.name] = try read(contents.parts.first { $0.name == part.name }, contents, part, note)
    }
    note?.pause()
    report.undeclared = contents.parts.map(\.name).filter { report.parts[$0] == nil }
  }

  private mutating func read(
    _ stored: StoredPart?,
    _ contents: FolderContents,
    _ part: Persisted<State>,
    _ note: LoadNote?
  ) throws(StorageError) -> LoadReport.Outcome {
    guard let stored else {
      return contents.mayHaveLost(part.name) ? .damaged(LoadReport.DamagedBytes(), keptAs: nil) : .fresh
    }
    guard stored.version <= part.version else {
      guard options.contains(.keepNewer) else {
        throw .newerPart(part.name, stored: stored.version, known: part.version)
      }
      return .newer(stored.version)
    }
    do {
      let place = LoadNote.place(of: stored)
      if note?.skips(place) == true { throw LoadCrash() }
      note?.begin(part: place)
      var loaded = state
      let filled = try part.part.load(stored, into: &loaded)
      state = loaded
      if !filled.isEmpty { report.completed[part.name] = filled.sorted() }
      return stored.version < part.version ? .migrated(from: stored.version) : .loaded
    } catch {
      damaged.append(stored)
      return .damaged(error, keptAs: nil)
    }
  }

  /// Returns `true` if a part is stored as it is in the state, in the declared coding.
  func isStored(_ part: Persisted<State>) -> Bool {
    switch report.parts[part.name] {
    case .loaded: codings[part.name] == part.part.coding.name && report.completed[part.name] == nil
    case .newer: true
    default: false
    }
  }

  /// Returns `false` if the stored part is newer and must not be replaced.
  func mayBeSaved(_ part: Persisted<State>) -> Bool {
    if case .newer = report.parts[part.name] { false } else { true }
  }

  /// Returns the parts that may be saved, each with `true` if it is stored as it is in the state.
  func saved(_ parts: [Persisted<State>]) -> [(part: Persisted<State>, isStored: Bool)] {
    parts.filter(mayBeSaved).map { ($0, isStored($0)) }
  }

  // MARK: The journal

  /// Reduces the actions of a journal on the state.
  ///
  /// - Throws: ``StorageError/newerPart(_:stored:known:)`` also for a newer part that is kept, if the actions have
  ///   changed it. The stored part is older than these, and would remain so once they are superfluous.
  mutating func replay<Action>(
    _ contents: FolderContents,
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    _ note: LoadNote?,
    _ progress: @escaping @Sendable (JournalProgress) -> Void
  ) throws(StorageError) {
    let changed = contents.journaledParts
    for part in parts where changed.contains(part.name) {
      if case .newer(let version) = report.parts[part.name] {
        throw .newerPart(part.name, stored: version, known: part.version)
      }
    }
    let count = contents.actions.reduce(0) { $0 + $1.actionCount }
    let replay = JournalReplay(journal: journal, count: count, progress: progress)
    // If a part is stored but the actions couldn't change it, it wasn't declared with them when they were reduced.
    let unchanged =
      changed.isEmpty ? [] : parts.filter { codings[$0.name] != nil && !changed.contains($0.name) }
    hasUnchangedParts = !unchanged.isEmpty
    let before = hasUnchangedParts ? state : nil
    var journalReport = try replay.run(contents, on: &state, note)
    if let before {
      for part in unchanged { part.part.copy(from: before, to: &state) }
    }
    journalReport.incompleteParts = changed.filter(isIncomplete).sorted()
    report.journal = journalReport
  }

  /// Returns `true` if actions can't be reduced on the stored value of a part.
  private func isIncomplete(_ name: String) -> Bool {
    if case .damaged = report.parts[name] { true } else { report.undeclared.contains(name) }
  }

  /// Returns `true` if the stored data can't be the basis of the actions that are journaled from now on.
  func needsState(_ contents: FolderContents) -> Bool {
    guard let journal = report.journal, contents.hasState, journal.skipped.isEmpty, journal.isOfThisVersion else {
      return true
    }
    // Otherwise, the actions that are kept aside would be found again at each start.
    guard journal.incompleteParts.isEmpty, !hasUnchangedParts else { return true }
    let isAsDeclared = report.parts.values.allSatisfy { if case .loaded = $0 { true } else { false } }
    return !isAsDeclared || !report.completed.isEmpty || !journal.otherReducers.isEmpty
  }

  /// Records the error of a body as the problem of the report.
  mutating func noteProblem(_ body: () throws(StorageError) -> Void) {
    do throws(StorageError) {
      try body()
    } catch {
      report.problem = error
    }
  }

  // MARK: Unreadable parts

  /// Keeps copies of everything that couldn't be read.
  mutating func keepAside(_ kept: KeptAside, _ contents: FolderContents) throws(FileError) {
    if let journal = report.journal {
      if !journal.incompleteParts.isEmpty { for log in contents.logs { try keepAside(log, kept) } }
      if let first = journal.skipped.first {
        // If the coding is JSON, each action gets its own line.
        let bytes = journal.skipped.flatMap(\.actions).joined(separator: [0x0A])
        report.keptFiles.append(try kept.keep(Array(bytes), of: "actions-\(first.entry)"))
      }
    }
    for finding in report.findings where finding.isDamage {
      if let file = finding.file { try keepAside(file, kept) }
    }
    for (name, outcome) in report.parts {
      guard case .damaged(let error, _) = outcome else { continue }
      guard let stored = damaged.first(where: { $0.name == name }) else {
        report.parts[name] = .damaged(error, keptAs: copyOfFile(with: name))
        continue
      }
      let file = try kept.keep(Array(([stored.bytes] + stored.differences).joined()), of: name)
      report.keptFiles.append(file)
      report.parts[name] = .damaged(error, keptAs: file)
    }
  }

  private mutating func keepAside(_ file: String, _ kept: KeptAside) throws(FileError) {
    guard copies[file] == nil, let copy = try kept.keep(file: file) else { return }
    copies[file] = copy
    report.keptFiles.append(copy)
  }

  /// Returns the copy of the first damaged file that may have contained a part.
  private func copyOfFile(with part: String) -> String? {
    for finding in report.findings where finding.mayConcern(part) {
      if let file = finding.file, let copy = copies[file] { return copy }
    }
    return nil
  }
}
