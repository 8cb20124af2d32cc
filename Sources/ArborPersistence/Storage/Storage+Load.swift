internal import Arbor
public import Foundation

/// Ways to load that are not the usual one.
public struct LoadOptions: OptionSet, Sendable {
  /// The options as the bits of a number.
  public let rawValue: Int

  /// Makes options of the bits of a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Loads the rest where a stored part is of a newer version than the declared one. Such a part is kept as it is, and
  /// never saved by this process.
  public static let keepNewer = LoadOptions(rawValue: 1)
}

/// A part that was loaded and is not saved yet.
struct LoadedPart: Sendable {
  /// The state into which it was loaded.
  let state: any Sendable

  /// `true` if it is stored as it is in that state.
  let isStored: Bool

  /// `false` if what is stored is newer and must not be replaced.
  let mayBeSaved: Bool
}

extension Storage {
  /// Reads stored parts into a state, before there is a store.
  ///
  /// - A part that is not stored, or cannot be read, stays as it is in the given state. What cannot be read is kept aside
  ///   first, and told in the report; nothing is written but that.
  /// - What the stores have not saved yet is saved first.
  /// - Parameters:
  ///   - state: The state of a program that has nothing stored.
  ///   - parts: The parts. What is stored under other names is kept, and told.
  /// - Returns: The state with the stored parts, which are of one moment; and a report.
  /// - Throws: ``StorageError``. Then nothing has changed. A part of a newer version is such an error, unless
  ///   ``LoadOptions/keepNewer`` is said.
  public func load<State: Sendable>(
    into state: State,
    _ parts: [Persisted<State>],
    options: LoadOptions = []
  ) async throws(StorageError) -> (state: State, report: LoadReport) {
    Self.requireDifferentNames(parts)
    return try await run { core throws(StorageError) in
      do {
        var loading = Loading(state, options)
        try core.load(Set(parts.map(\.name))) { contents in
          try loading.read(contents, parts)
          try loading.keepAside(KeptAside(folder: core.folder, durability: core.durability))
        }
        self.note(loading, parts)
        return (loading.state, loading.report)
      } catch {
        throw StorageError(reading: error)
      }
    }
  }

  /// Reads stored parts beside the owner of the storage, as a widget does. Writes nothing, and needs no right to write.
  ///
  /// - The parts are of one moment: that of the last save that is whole.
  /// - Throws: ``StorageError``, as ``load(into:_:options:)``.
  public static func read<State: Sendable>(
    at folder: URL,
    into state: State,
    _ parts: [Persisted<State>],
    options: LoadOptions = []
  ) throws(StorageError) -> (state: State, report: LoadReport) {
    requireDifferentNames(parts)
    do {
      var loading = Loading(state, options)
      try loading.read(FolderContents(beside: DiskFolder(at: folder.path)), parts)
      return (loading.state, loading.report)
    } catch {
      throw StorageError(reading: error)
    }
  }

  private func note<State: Sendable>(_ loading: Loading<State>, _ parts: [Persisted<State>]) {
    let replaced = loaded.withLock { loaded in
      let before = loaded
      for part in parts {
        let (isStored, mayBeSaved) =
          switch loading.report.parts[part.name] {
          case .loaded: (true, true)
          case .newer: (true, false)
          default: (false, true)
          }
        loaded[part.name] = LoadedPart(state: loading.state, isStored: isStored, mayBeSaved: mayBeSaved)
      }
      return before
    }
    withExtendedLifetime(replaced) {}
  }

  /// Makes a monitor that saves parts when they have changed; to be given to the factory whose initial state was loaded.
  ///
  /// - Stops the program unless the parts were loaded before, for each monitor anew: an initial state could be saved over
  ///   a stored one.
  /// - Parameters:
  ///   - parts: Parts that were loaded.
  ///   - quietTime: The time without a step before a save, on the factory's clock.
  ///   - longest: The time after the first unsaved step at which is saved at the latest.
  public func saving<State: Sendable>(
    _ parts: [Persisted<State>],
    debounce quietTime: Duration = .milliseconds(300),
    atLatestAfter longest: Duration = .seconds(5)
  ) -> SavingMonitor<State> {
    Self.requireDifferentNames(parts)
    let taken = loaded.withLock { loaded in parts.map { loaded.removeValue(forKey: $0.name) } }
    guard let state = taken.first.map({ $0?.state as? State }) ?? nil, taken.allSatisfy({ $0?.state is State }) else {
      Misuse.savingWithoutLoading.stop(about: parts.map(\.name).joined(separator: ", "))
    }
    let saved = zip(parts, taken).filter { $1!.mayBeSaved }.map { ($0, $1!.isStored) }
    return SavingMonitor(self, SavedParts(saved, in: state), SaveDelay(quietTime: quietTime, longest: longest))
  }

  private static func requireDifferentNames<State>(_ parts: [Persisted<State>]) {
    guard Set(parts.map(\.name)).count == parts.count else {
      Misuse.doubledPart.stop(about: parts.map(\.name).joined(separator: ", "))
    }
  }
}

/// The loading of parts into a state.
private struct Loading<State: Sendable>: Sendable {
  private(set) var state: State
  private(set) var report = LoadReport()
  private let options: LoadOptions

  /// The parts that could not be read.
  private var damaged: [StoredPart] = []

  init(_ state: State, _ options: LoadOptions) {
    self.state = state
    self.options = options
  }

  mutating func read(_ contents: FolderContents, _ parts: [Persisted<State>]) throws(StorageError) {
    guard contents.actions.isEmpty else { throw .journalNotDeclared }
    report.findings = contents.findings
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

  /// Keeps copies of what could not be read.
  mutating func keepAside(_ kept: KeptAside) throws(FileError) {
    for finding in report.findings {
      let file: String? =
        switch finding {
        case .damagedLog(let file, _), .damagedState(let file, _): file
        case .tornEnd, .missingEntries: nil
        }
      guard let file, let name = try kept.keep(file: file) else { continue }
      report.keptFiles.append(name)
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
