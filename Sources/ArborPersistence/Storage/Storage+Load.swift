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

extension Storage {
  /// Reads stored parts into a state, before there is a store.
  ///
  /// - A part that is not stored, or cannot be read, stays as it is in the given state. What cannot be read is kept aside
  ///   first, and told in the report; then all that could be is written anew.
  /// - What the stores have not saved yet is saved first. A store that has these parts already saves nothing from then
  ///   on: ``StorageError/loadedAgain``.
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
    try await load(into: state, parts, options) { loading, contents throws(StorageError) in
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
    try await load(into: state, parts, options) { loading, contents throws(StorageError) in
      if loading.isBesideJournal { Misuse.secondJournal.stop(about: "\(Action.self)") }
      try loading.replay(contents, parts, journal) { step in
        self.progressBroadcast.tell(step)
        progress(step)
      }
      return { [writer = self.core.writer, count = contents.actions.count] saved in
        JournaledParts(saved, journal, writer, count: count)
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
      @escaping @Sendable (inout Loading<State>, FolderContents) throws(StorageError) -> (
        @Sendable (SavedParts<State>) -> any PartsSource
      )?
  ) async throws(StorageError) -> (state: State, report: LoadReport) {
    Self.requireDifferentNames(parts)
    return try await run { core throws(StorageError) in
      do {
        let names = Set(parts.map(\.name))
        var loading = Loading(state, options, isBesideJournal: core.sources.hasJournal(besides: names))
        var makeJournaled: (@Sendable (SavedParts<State>) -> any PartsSource)?
        let load = try core.load(names) { contents in
          try loading.read(contents, parts)
          makeJournaled = try replay(&loading, contents)
          try loading.keepAside(KeptAside(folder: core.folder, durability: core.durability), contents)
          return makeJournaled != nil && loading.needsState(contents)
        }
        let journaled = makeJournaled.map { $0(SavedParts(loading.saved(parts), in: loading.state, ofLoad: load)) }
        if let journaled {
          core.add(journaled)
          if core.writer.needsState { loading.noteProblem { () throws(StorageError) in try core.save(journaled) } }
        }
        core.completeLoad()
        self.note(loading, parts, journaled, load)
        return (loading.state, loading.report)
      } catch {
        throw StorageError(reading: error)
      }
    }
  }

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
  public static func read<State: Sendable, Action: Codable & Sendable>(
    at folder: URL,
    into state: State,
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    options: LoadOptions = []
  ) throws(StorageError) -> (state: State, report: LoadReport) {
    try read(at: folder, into: state, parts, options) { loading, contents throws(StorageError) in
      try loading.replay(contents, parts, journal) { _ in }
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
      try loading.read(contents, parts)
      try replay(&loading, contents)
      return (loading.state, loading.report)
    } catch {
      throw StorageError(reading: error)
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

  /// Makes a monitor that saves parts when they have changed; to be given to the factory whose initial state was loaded.
  ///
  /// - Stops the program unless the parts were loaded before, for each monitor anew: an initial state could be saved over
  ///   a stored one. So does giving the monitor to two factories.
  /// - Parameters:
  ///   - parts: Parts that were loaded into one state, at least one. They are saved as they were declared then.
  ///   - quietTime: The time without a step before a save, on the factory's clock.
  ///   - longest: The time after the first unsaved step at which is saved at the latest.
  public func saving<State: Sendable>(
    _ parts: [Persisted<State>],
    debounce quietTime: Duration = .milliseconds(300),
    atLatestAfter longest: Duration = .seconds(5)
  ) -> SavingMonitor<State> {
    let (state, load, taken) = take(parts)
    let journaled = taken.compactMap(\.journaled).first
    // What the actions have changed is saved with the parts; afterwards they are not needed any more.
    if let journaled { runLater { core in core.endJournal(of: journaled) } }
    let saved = taken.filter(\.mayBeSaved).map { part in
      // Taken for this type of state.
      (part.part as! Persisted<State>, part.isStored && journaled == nil)
    }
    let source = SavedParts(saved, in: state, ofLoad: load)
    return SavingMonitor(self, source, SaveDelay(quietTime: quietTime, longest: longest))
  }

  /// Makes a monitor that journals what the root's reducer gets, and saves the parts now and then; to be given to the
  /// factory whose initial state was loaded.
  ///
  /// - Stops the program unless these parts and the journal were loaded before, for each monitor anew.
  /// - Parameters:
  ///   - parts: The parts that were loaded, at least one.
  ///   - journal: The journal with which they were loaded.
  ///   - time: The time in which actions are collected and then written together, on the factory's clock.
  @inlinable
  public func saving<State: Sendable, Action: Codable & Sendable>(
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    groupedFor time: Duration = .milliseconds(50)
  ) -> SavingMonitor<State> {
    let buffer = JournalBuffer<Action>()
    // A closure that is made here, where the compiler specializes it.
    return saving(parts, journal, groupedFor: time, buffer) { action in buffer.append(action) }
  }

  @usableFromInline
  func saving<State: Sendable, Action: Codable & Sendable>(
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    groupedFor time: Duration,
    _ buffer: JournalBuffer<Action>,
    _ receive: @escaping @Sendable (Action) -> Void
  ) -> SavingMonitor<State> {
    let (_, _, taken) = take(parts)
    guard let journaled = taken.first?.journaled as? JournaledParts<State, Action> else {
      Misuse.savingWithoutLoading.stop(about: "a journal")
    }
    journaled.use(buffer, receive)
    return SavingMonitor(self, journaled, SaveDelay(quietTime: time, longest: time))
  }

  /// Takes parts that were loaded into one state.
  private func take<State: Sendable>(_ parts: [Persisted<State>]) -> (state: State, load: Int, [LoadedPart]) {
    Self.requireDifferentNames(parts)
    let (taken, rest) = loaded.withLock { loaded in
      let taken = parts.compactMap { loaded.removeValue(forKey: $0.name) }
      // Those that were loaded with them are no longer to be had: of two monitors each would save another moment.
      let rest = loaded.filter { _, part in taken.contains { $0.load == part.load } }
      for name in rest.keys { loaded[name] = nil }
      return (taken, rest)
    }
    withExtendedLifetime(rest) {}
    if parts.isEmpty { Misuse.savingNothing.stop() }
    let isOneLoad = taken.allSatisfy { $0.load == taken.first?.load }
    guard taken.count == parts.count, isOneLoad, let load = taken.first?.load, let state = taken.first?.state as? State
    else {
      Misuse.savingWithoutLoading.stop(about: parts.map(\.name).joined(separator: ", "))
    }
    return (state, load, taken)
  }

  private static func requireDifferentNames<State>(_ parts: [Persisted<State>]) {
    guard Set(parts.map(\.name)).count == parts.count else {
      Misuse.doubledPart.stop(about: parts.map(\.name).joined(separator: ", "))
    }
  }
}
