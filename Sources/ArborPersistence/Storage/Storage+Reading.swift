public import Foundation

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
