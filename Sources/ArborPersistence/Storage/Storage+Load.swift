internal import Arbor
public import Foundation

/// Options that change how parts load.
public struct LoadOptions: OptionSet, Sendable {
  /// The options as the bits of a number.
  public let rawValue: Int

  /// Makes options from the bits of a number.
  public init(rawValue: Int) {
    self.rawValue = rawValue
  }

  /// Loads the other parts if a stored part is of a newer version than the declared one. The newer part is kept as it
  /// is, and never saved by this process. The option doesn't help if actions of a journal have changed the part since.
  public static let keepNewer = LoadOptions(rawValue: 1)
}

extension Storage {
  /// Reads stored parts into a state, before there is a store.
  ///
  /// - A part that isn't stored or can't be read stays as it is in the given state. Unreadable data is first kept aside
  ///   and reported. Then all readable data is written again.
  /// - Changes that the stores haven't saved yet are saved first. A store that already has these parts saves nothing
  ///   from then on, with the error ``StorageError/loadedAgain``.
  /// - Reading, decoding and migrating are done on a queue of the storage. Cost: the size of all files, regardless of
  ///   the loaded parts.
  /// - Stops the program if two parts have the same name.
  /// - Parameters:
  ///   - state: The state of a program without stored data.
  ///   - parts: The parts. Data that is stored under other names is kept and reported.
  ///   - options: Options that change how parts load.
  /// - Returns: The state with the stored parts, which all come from the same moment, and a report.
  /// - Throws: ``StorageError``; then nothing has changed. It throws for a part of a newer version, unless you pass
  ///   ``LoadOptions/keepNewer``, and for the actions of a journal, because this load doesn't know them.
  public func load<State: Sendable>(
    into state: State,
    _ parts: [Persisted<State>],
    options: LoadOptions = []
  ) async throws(StorageError) -> (state: State, report: LoadReport) {
    try await load(into: state, parts, options) { loading, contents, _ throws(StorageError) in
      guard contents.actions.isEmpty || loading.isBesideJournal else { throw .journalNotDeclared }
      return nil
    }
  }

  /// Reads stored parts into a state, and reduces the actions of a journal on it.
  ///
  /// - Parts are loaded as by ``load(into:_:options:)``. A storage has one journal, for one store. Once it was loaded,
  ///   even if its store is gone, loading other parts with a journal stops the program.
  /// - All parts are written at once if there was no snapshot, or if the parts or the actions have other versions. An
  ///   error of this write isn't thrown: it is the report's ``LoadReport/problem``.
  /// - Parameters:
  ///   - state: The state of a program without stored data.
  ///   - parts: The parts. Data that is stored under other names is kept and reported.
  ///   - journal: The journal, declared with the feature of the store that begins with the loaded state.
  ///   - options: Options that change how parts load.
  ///   - progress: Called from time to time, and at the end, on a queue of the storage. It must not wait for a store or
  ///     a storage. ``Storage/progress`` has the same values.
  /// - Returns: The state with the stored parts, after all actions that could be reduced again, and a report.
  /// - Throws: ``StorageError``, including ``StorageError/newerPart(_:stored:known:)`` for actions of a newer version.
  public func load<State: Sendable, Action: Codable & Sendable>(
    into state: State,
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    options: LoadOptions = [],
    progress: @escaping @Sendable (JournalProgress) -> Void = { _ in }
  ) async throws(StorageError) -> (state: State, report: LoadReport) {
    try await load(into: state, parts, options) { loading, contents, note throws(StorageError) in
      if loading.isBesideJournal { Misuse.secondJournal.stop(about: "\(Action.self)") }
      try loading.replay(contents, parts, journal, note) { step in
        self.progressBroadcast.tell(step)
        progress(step)
      }
      return { [writer = self.core.writer, refusals = self.refusals, count = contents.actions.count] saved in
        JournaledParts(saved, journal, writer, refusals, count: count)
      }
    }
  }

  /// Reads stored parts into a state, and handles the actions of a journal.
  ///
  /// - Parameter replay: Handles the actions of a journal. Returns a function that makes the source with the journal;
  ///   nil if there is none.
  private func load<State: Sendable>(
    into state: State,
    _ parts: [Persisted<State>],
    _ options: LoadOptions,
    _ replay:
      @escaping @Sendable (inout Loading<State>, FolderContents, LoadNote) throws(StorageError) -> (
        @Sendable (SavedParts<State>) -> any PartsSource
      )?
  ) async throws(StorageError) -> (state: State, report: LoadReport) {
    Self.requireDifferentNames(parts)
    return try await run { core throws(StorageError) in
      let note = LoadNote(in: core.folder, durability: core.durability)
      defer { if let problem = note.problem { core.tell(.file(problem)) } }
      do {
        let names = Set(parts.map(\.name))
        var loading = Loading(state, options, isBesideJournal: core.sources.hasJournal(besides: names))
        var makeJournaled: (@Sendable (SavedParts<State>) -> any PartsSource)?
        let load = try core.load(names) { contents in
          try loading.read(contents, parts, note)
          makeJournaled = try replay(&loading, contents, note)
          try loading.keepAside(KeptAside(folder: core.folder, durability: core.durability), contents)
          return makeJournaled != nil && loading.needsState(contents)
        }
        let journaled = makeJournaled.map { $0(SavedParts(loading.saved(parts), in: loading.state, ofLoad: load)) }
        if let journaled {
          core.add(journaled)
          if core.writer.needsState { loading.noteProblem { () throws(StorageError) in try core.save(journaled) } }
        }
        core.completeLoad()
        // Skipped steps are no longer in the files once these were written again.
        note.end(isKept: note.hasSkipped && (journaled == nil || core.writer.needsState))
        self.note(loading, parts, journaled, load)
        return (loading.state, loading.report)
      } catch {
        note.end(isKept: true)
        throw StorageError(reading: error)
      }
    }
  }

  private func note<State: Sendable>(
    _ loading: Loading<State>,
    _ parts: [Persisted<State>],
    _ journaled: (any PartsSource)?,
    _ load: Int
  ) {
    let replaced = loaded.withLock { loaded in
      let before = loaded
      for part in parts {
        loaded[part.name] = LoadedPart(
          part: part,
          load: load,
          state: loading.state,
          isStored: loading.isStored(part),
          mayBeSaved: loading.mayBeSaved(part),
          journaled: journaled
        )
      }
      return before
    }
    withExtendedLifetime(replaced) {}
  }

  static func requireDifferentNames<State>(_ parts: [Persisted<State>]) {
    guard Set(parts.map(\.name)).count == parts.count else {
      Misuse.doubledPart.stop(about: parts.map(\.name).joined(separator: ", "))
    }
  }
}

extension Storage {
  /// Reads stored parts without owning the storage, as a widget does. It writes nothing, and needs no write access.
  ///
  /// - All parts come from the same moment: the last save that is intact.
  /// - Blocks the calling thread while it reads. Cost: the size of all files.
  /// - Parameters:
  ///   - folder: The folder of the storage.
  ///   - state: The state of a program without stored data.
  ///   - parts: The parts.
  ///   - options: Options that change how parts load.
  /// - Returns: The state with the stored parts, and a report.
  /// - Throws: The errors of ``load(into:_:options:)``, for example if the folder doesn't exist or if a journal has
  ///   actions that follow the parts.
  public static func read<State: Sendable>(
    at folder: URL,
    into state: State,
    _ parts: [Persisted<State>],
    options: LoadOptions = []
  ) throws(StorageError) -> (state: State, report: LoadReport) {
    try read(at: folder, into: state, parts, options) { _, contents throws(StorageError) in
      guard contents.actions.isEmpty else { throw .journalNotDeclared }
    }
  }

  /// Reads stored parts without owning the storage, and reduces the actions of its journal on them.
  ///
  /// - It writes nothing, and needs no write access; see ``read(at:into:_:options:)``.
  /// - Parameters:
  ///   - folder: The folder of the storage.
  ///   - state: The state of a program without stored data.
  ///   - parts: The parts.
  ///   - journal: The journal, declared with the same feature as in the program that owns the storage.
  ///   - options: Options that change how parts load.
  /// - Returns: The state with the stored parts, after all actions that could be reduced, and a report.
  /// - Throws: The errors of ``load(into:_:options:)``, for example if the folder doesn't exist.
  public static func read<State: Sendable, Action: Codable & Sendable>(
    at folder: URL,
    into state: State,
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    options: LoadOptions = []
  ) throws(StorageError) -> (state: State, report: LoadReport) {
    try read(at: folder, into: state, parts, options) { loading, contents throws(StorageError) in
      try loading.replay(contents, parts, journal, nil) { _ in }
    }
  }

  private static func read<State: Sendable>(
    at folder: URL,
    into state: State,
    _ parts: [Persisted<State>],
    _ options: LoadOptions,
    _ replay: (inout Loading<State>, FolderContents) throws(StorageError) -> Void
  ) throws(StorageError) -> (state: State, report: LoadReport) {
    requireDifferentNames(parts)
    do {
      var loading = Loading(state, options)
      let contents = try FolderContents(beside: DiskFolder(at: folder.path))
      try loading.read(contents, parts, nil)
      try replay(&loading, contents)
      return (loading.state, loading.report)
    } catch {
      throw StorageError(reading: error)
    }
  }
}

/// A loaded part for which no monitor was made yet.
struct LoadedPart: Sendable {
  /// The part as it was declared for the load: a `Persisted` for the type of the state.
  let part: any Sendable

  /// The number of the load. Parts of different loads aren't of the same moment.
  let load: Int

  /// The state into which the part was loaded.
  let state: any Sendable

  /// `true` if the part is stored as it is in that state.
  let isStored: Bool

  /// `false` if the stored part is newer and must not be replaced.
  let mayBeSaved: Bool

  /// The parts with their journal; nil if no journal was declared.
  var journaled: (any PartsSource)?
}
