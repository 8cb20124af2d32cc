internal import Arbor
internal import Dispatch
public import Foundation

/// A folder that stores the parts of a state, and the actions of a journal.
///
/// ```swift
/// let storage = try Storage(at: folder)
/// let settings = Persisted(\AppState.settings, as: "settings")
/// let (state, report) = try await storage.load(into: AppState(), [settings])
/// let factory = StoreFactory(
///   initialState: state,
///   feature: app,
///   settings: TreeSettings(monitors: [storage.saving([settings])])
/// )
/// try await storage.flush()
/// ```
///
/// - **Acknowledged is durable.** When ``flush()`` returns, everything that the stores accepted before is saved, and
///   survives any crash of the process. With the default ``Durability/full``, it also survives a power failure.
/// - **One moment.** The parts of a save come from one step, and are stored together or not at all.
/// - **Unreadable data is never overwritten**: it is kept aside in a file of the folder that ends in `.damaged`.
/// - **One owner.** A second storage of the same folder, in this process or another one, throws an error that names the
///   first. For read access, use ``read(at:into:_:options:)``.
/// - **Every error is reported**: to the caller, in ``problems``, and as an activity of the stores whose parts are
///   saved. The stores continue, and saving is retried.
/// - Encoding and writing are done on a queue of the storage, in the order of the calls. You can call any function from
///   any thread. A storage lives as long as it, or a store whose parts it saves, is referenced.
public final class Storage: Sendable {
  let queue: DispatchQueue
  let problemBroadcast = Broadcast<StorageError>(keeping: 100)
  let refusals = Refusals()
  let progressBroadcast = Broadcast<JournalProgress>(keeping: 1, buffering: .bufferingNewest(1))

  /// The core, which is only used on the queue, except for its writer.
  let core: StorageCore

  /// The loaded parts for which no monitor was made yet.
  let loaded = Protected<[String: LoadedPart]>([:])

  #if canImport(Darwin) && !os(macOS)
    private let background = Protected<BackgroundObserver?>(nil)
  #endif

  /// The key under which a queue has the identity of its storage.
  private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  /// Opens a storage in a folder, and creates the folder if it doesn't exist.
  ///
  /// - Reads no file: ``load(into:_:options:)`` does.
  /// - Parameters:
  ///   - folder: The folder, which should contain nothing else. Its missing parents are created, too. If it is created,
  ///     only the current user can access it. Only that user can read and write the files.
  ///   - durability: The guarantee about acknowledged changes.
  /// - Throws: ``StorageError/file(_:)`` if the folder can't be created or written, or if another storage uses it.
  public convenience init(at folder: URL, durability: Durability = .full) throws(StorageError) {
    try self.init(Self.make(folder, durability), durability: durability)
    #if canImport(Darwin) && !os(macOS)
      let observer = BackgroundObserver(self)
      background.withLock { $0 = observer }
    #endif
  }

  /// Opens a folder, and creates it if it doesn't exist.
  private static func make(_ folder: URL, _ durability: Durability) throws(StorageError) -> DiskFolder {
    do throws(FileError) {
      return try DiskFolder(making: folder.path, durability)
    } catch {
      throw .file(error)
    }
  }

  /// Makes a storage in memory, for tests and previews. Its content is gone when the storage is.
  public static func inMemory() -> Storage {
    // A folder without other users isn't in use.
    try! Storage(MemoryFolder(), durability: .full)
  }

  /// Opens a storage in any kind of folder.
  ///
  /// - Parameters:
  ///   - background: Runs work that may take a long time.
  ///   - later: Runs work after a delay.
  package init(
    _ folder: any FileFolder,
    durability: Durability,
    background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      DispatchQueue.global(qos: .utility).async(execute: work)
    },
    later: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void = { work in
      DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now() + .seconds(5), execute: work)
    }
  ) throws(StorageError) {
    queue = DispatchQueue(label: "Arbor.storage", qos: .utility)
    let process = ProcessInfo.processInfo
    let owner =
      "\(process.processName) (process \(process.processIdentifier)), since \(Date().formatted(.iso8601))\n\(UUID())"
    do throws(FileError) {
      core = try StorageCore(
        folder,
        durability: durability,
        owner: owner,
        problems: problemBroadcast,
        queue: queue,
        background: background,
        later: later
      )
    } catch {
      throw .file(error)
    }
    queue.setSpecific(key: Self.queueKey, value: ObjectIdentifier(self))
  }

  /// Saves everything that the stores accepted before this call, and returns once it is stored with the storage's
  /// durability.
  ///
  /// - Writes nothing if nothing has changed. While another moment of a recording is shown, the present is saved,
  ///   without the actions that are held until the tree returns to it.
  /// - Throws: The first ``StorageError``. All other changes are saved, and failed saves are retried. If all changes
  ///   are saved, it throws the ``StorageError/refused(_:because:)`` of an action that was dropped because it couldn't
  ///   be written ahead. It doesn't if the action's caller or an earlier flush has reported it.
  public func flush() async throws(StorageError) {
    try await savingAll { core throws(StorageError) in try core.saveAll() }
  }

  /// Runs a body that saves the stores' changes, and throws the last refusal that wasn't reported.
  func savingAll(_ body: @escaping @Sendable (StorageCore) throws(StorageError) -> Void) async throws(StorageError) {
    let told = refusals.told
    try await run { [refusals] core throws(StorageError) in
      try body(core)
      core.sources.noteRefusals()
      if let refusal = refusals.take(since: told) { throw refusal }
    }
  }

  /// Writes all parts as they are now, in place of the actions of a journal, so that none of these is reduced again.
  ///
  /// - ``close()`` also does this, and a ``Journal`` does it after a number of steps. Call it if another version of the
  ///   program may soon replace this one, before it can close its storage.
  /// - Writes nothing if nothing has changed since all parts were written.
  /// - Throws: The errors of ``flush()``, or ``StorageError/closed``.
  public func snapshot() async throws(StorageError) {
    try await savingAll { core throws(StorageError) in
      guard !core.isClosed else { throw .closed }
      try core.saveAll()
      try core.snapshot()
    }
  }

  /// Removes all stored data, and then the files that were kept aside.
  ///
  /// - After a crash, the stored data is gone completely or not at all; some of the files kept aside may remain.
  /// - Files and folders that no storage has written stay, regardless of their names, and don't prevent the removal of
  ///   others. A file with the name of a storage file counts as the storage's.
  /// - The stores keep their states. A store's parts are only stored again, all of them, once one of them changes or an
  ///   action is journaled.
  /// - Throws: ``StorageError/closed``, ``StorageError/changedElsewhere``, or the error of a file. Some or all data may
  ///   then remain: erase again.
  public func erase() async throws(StorageError) {
    try await run { core throws(StorageError) in try core.erase() }
  }

  /// Saves everything and gives up write access, at the end of a program or while it is suspended.
  ///
  /// - With a ``Journal``, all parts are written, unless nothing has been journaled since they were last written. So no
  ///   action is reduced again after a program has closed its storage.
  /// - On iOS, tvOS, watchOS and visionOS, this happens automatically when the program enters the background. The
  ///   system would otherwise end a suspended program that has locked a file in a shared container. A program that is
  ///   started in the background must close its storage itself, because it isn't notified of its suspension.
  /// - A storage that is already closed saves nothing.
  /// - A program that ends without closing loses no acknowledged changes, only unsaved ones.
  /// - Throws: The first ``StorageError`` of a failed save, or the error that ``flush()`` throws for a dropped action.
  ///   Write access is given up anyway.
  public func close() async throws(StorageError) {
    try await savingAll { core throws(StorageError) in try core.close() }
  }

  /// Takes write access again, as when the program returns from the background.
  ///
  /// - A storage that isn't closed stays as it is.
  /// - Throws: ``StorageError/file(_:)`` if another process has write access. ``StorageError/changedElsewhere`` if
  ///   another process has written in the meantime; then nothing is saved until the parts are loaded again.
  public func reopen() async throws(StorageError) {
    try await run { core throws(StorageError) in try core.reopen() }
  }

  /// The problems of this storage: the last hundred, and all later ones.
  ///
  /// - Each call makes a new sequence, which ends when the storage is gone.
  public var problems: AsyncStream<StorageError> { problemBroadcast.stream() }

  /// The progress of loading with a ``Journal``: the last value, and all later ones.
  ///
  /// - Each call makes a new sequence, which ends when the storage is gone. A slow reader only gets the newest value.
  public var progress: AsyncStream<JournalProgress> { progressBroadcast.stream() }
}

// MARK: - The queue

extension Storage {
  /// Runs a body on the queue, after all work that was enqueued before.
  func run<Value: Sendable>(
    _ body: @escaping @Sendable (StorageCore) throws(StorageError) -> Value
  ) async throws(StorageError) -> Value {
    let result = await withCheckedContinuation { continuation in
      queue.async {
        continuation.resume(returning: Result { () throws(StorageError) in try body(self.core) })
      }
    }
    return try result.get()
  }

  /// Runs a body on the queue, without waiting for it.
  func runLater(_ body: @escaping @Sendable (StorageCore) -> Void) {
    queue.async { body(self.core) }
  }

  /// Runs a body on the queue, and waits for it. If called on the queue, runs it at once.
  func runNow(_ body: (StorageCore) -> Void) {
    guard DispatchQueue.getSpecific(key: Self.queueKey) != ObjectIdentifier(self) else { return body(core) }
    queue.sync { body(core) }
  }
}

extension Storage {
  /// Opens a note in the folder; returns nil if the folder is in memory or the note can't be opened.
  package func openNote(_ name: String) -> (any FolderNote)? { try? core.folder.openNote(name) }
}

extension Storage {
  /// Closes the storage until ``resume()``, and waits until it is closed.
  ///
  /// - Parameters:
  ///   - isInTime: `false` if there is no time to save: changes then stay unsaved until ``resume()``.
  ///   - isInBackground: Returns `false` if the program has returned before the storage's queue runs this.
  package func suspend(isInTime: Bool, if isInBackground: () -> Bool = { true }) {
    runNow { core in if isInBackground() { core.suspend(isInTime: isInTime) } }
  }

  /// Opens the storage again, without waiting, unless it was closed in another way.
  package func resume() {
    runLater { core in core.resume() }
  }
}

#if canImport(Darwin) && !os(macOS)
  /// An observer of the program's transitions to the background and back, which suspends and resumes a storage.
  final class BackgroundObserver: @unchecked Sendable {  // The tokens are set once, and used by the `deinit`.
    private var tokens: [any NSObjectProtocol] = []

    /// `true` in the background. The program may return before the storage's queue closes the storage.
    private let isInBackground = AtomicFlag(false)

    init(_ storage: Storage) {
      // Observed by name, because the frameworks that declare the names aren't linked into every program.
      for name in [
        "UIApplicationDidEnterBackground", "NSExtensionHostDidEnterBackground", "WKApplicationDidEnterBackground",
      ] {
        observe(name) { [weak self, weak storage] in
          self?.isInBackground.store(true)
          // Requests time for the work from the system.
          ProcessInfo.processInfo.performExpiringActivity(withReason: "saving") { [weak self, weak storage] isExpired in
            storage?.suspend(isInTime: !isExpired) { self?.isInBackground.load() == true }
          }
        }
      }
      for name in [
        "UIApplicationWillEnterForeground", "NSExtensionHostWillEnterForeground", "WKApplicationWillEnterForeground",
      ] {
        observe(name) { [weak self, weak storage] in
          self?.isInBackground.store(false)
          storage?.resume()
        }
      }
    }

    private func observe(_ name: String, _ body: @escaping @Sendable () -> Void) {
      let name = Notification.Name(name + "Notification")
      tokens.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
    }

    deinit {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }
#endif
