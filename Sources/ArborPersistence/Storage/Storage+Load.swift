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
  /// never saved by this process. Does not help where actions of a journal have changed the part since.
  public static let keepNewer = LoadOptions(rawValue: 1)
}

extension Storage {
  /// Reads stored parts into a state, before there is a store.
  ///
  /// - A part that is not stored, or cannot be read, stays as it is in the given state. What cannot be read is kept aside
  ///   first, and told in the report; then all that could be is written anew.
  /// - Changes that the stores have not saved yet are saved first. A store that has these parts already saves nothing from
  ///   then on: ``StorageError/loadedAgain``.
  /// - Reading, decoding and migrating are done on a queue of the storage. Cost: the size of all files, whatever is loaded.
  /// - Stops the program if two parts have the same name.
  /// - Parameters:
  ///   - state: The state of a program that has nothing stored.
  ///   - parts: The parts. What is stored under other names is kept, and told.
  ///   - options: Ways to load that are not the usual one.
  /// - Returns: The state with the stored parts, which are of one moment; and a report.
  /// - Throws: ``StorageError``. Then nothing has changed. A part of a newer version is such an error, unless
  ///   ``LoadOptions/keepNewer`` is said; so are actions of a journal, of which this load knows nothing.
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
  /// - Otherwise like ``load(into:_:options:)``. A storage has one journal, of one store: once it was loaded, also if its
  ///   store has gone, loading other parts with a journal stops the program.
  /// - All parts are written at once if there was no snapshot, or if the parts or the actions are of other versions. An
  ///   error of that is the problem of the report, and is not thrown.
  /// - Parameters:
  ///   - state: The state of a program that has nothing stored.
  ///   - parts: The parts. What is stored under other names is kept, and told.
  ///   - journal: The journal, declared of the feature of the store that begins with the loaded state.
  ///   - options: Ways to load that are not the usual one.
  ///   - progress: Called now and then, and at the end, on a queue of the storage; it must not wait for a store or a
  ///     storage. ``Storage/progress`` has the same.
  /// - Returns: The state with the stored parts, after all actions that could be reduced again; and a report.
  /// - Throws: ``StorageError``; ``StorageError/newerPart(_:stored:known:)`` also for actions of a newer version.
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

  /// - Parameter replay: Does what is to be done with the actions of a journal. Returns the maker of the source that
  ///   journals; nil if there is none.
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
        // Steps that were skipped are gone from the files once these are written anew.
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
  /// Reads stored parts beside the owner of the storage, as a widget does. Writes nothing, and needs no right to write.
  ///
  /// - The parts are of one moment: that of the last save that is whole.
  /// - Blocks the calling thread while it reads. Cost: the size of all files.
  /// - Parameters:
  ///   - folder: The folder of the storage.
  ///   - state: The state of a program that has nothing stored.
  ///   - parts: The parts.
  ///   - options: Ways to load that are not the usual one.
  /// - Returns: The state with the stored parts, and a report.
  /// - Throws: ``StorageError``, as ``load(into:_:options:)``: also if there is no folder, and if a journal has actions
  ///   that follow the parts.
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

  /// Reads stored parts beside the owner of the storage, and reduces the actions of its journal on them.
  ///
  /// - Otherwise like ``read(at:into:_:options:)``.
  /// - Parameters:
  ///   - folder: The folder of the storage.
  ///   - state: The state of a program that has nothing stored.
  ///   - parts: The parts.
  ///   - journal: The journal, declared of the same feature as in the program that owns the storage.
  ///   - options: Ways to load that are not the usual one.
  /// - Throws: As ``read(at:into:_:options:)``, but for stored actions, which are reduced.
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

/// A part that was loaded and is not saved yet.
struct LoadedPart: Sendable {
  /// The part as it was declared then: a `Persisted` of the type of the state.
  let part: any Sendable

  /// The number of the load: parts of different ones are not of one moment.
  let load: Int

  /// The state into which it was loaded.
  let state: any Sendable

  /// `true` if it is stored as it is in that state.
  let isStored: Bool

  /// `false` if what is stored is newer and must not be replaced.
  let mayBeSaved: Bool

  /// The parts with their journal; nil if none was declared.
  var journaled: (any PartsSource)?
}
