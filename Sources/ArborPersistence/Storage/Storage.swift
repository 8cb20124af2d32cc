internal import Arbor
internal import Dispatch
public import Foundation

/// A folder in which the parts of a state, and the actions of a journal, are kept.
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
/// - **Acknowledged is durable.** When ``flush()`` returns, everything accepted before by the stores is saved, and is there
///   after any crash of the process; by the default ``Durability/full`` also after a loss of power.
/// - **One moment.** The parts of a save are of one step, and are there together or not at all.
/// - **Nothing is overwritten that could not be read**: it is kept aside in a file of the folder that ends in `.damaged`.
/// - **One owner.** A second storage of the same folder, in this process or another one, is refused with the name of the
///   first. To read alone, use ``read(at:into:_:options:)``.
/// - **Every error is told**: to who asked, by ``problems``, and as an activity of the stores whose parts are saved. The
///   stores go on, and saving is tried again.
/// - Encoding and writing are done on a queue of the storage, in the order of the calls. All may be called from any
///   thread. It lives as long as somebody has it, or a store whose parts it saves.
public final class Storage: Sendable {
  let queue: DispatchQueue
  let problemBroadcast = Broadcast<StorageError>(keeping: 100)
  let refusals = Refusals()
  let progressBroadcast = Broadcast<JournalProgress>(keeping: 1, buffering: .bufferingNewest(1))

  /// Used on the queue only, but for its writer.
  let core: StorageCore

  /// The parts that were loaded, and are not saved yet.
  let loaded = Protected<[String: LoadedPart]>([:])

  #if canImport(Darwin) && !os(macOS)
    private let background = Protected<BackgroundObserver?>(nil)
  #endif

  /// Finds out whether the calling thread is on the queue.
  private static let queueKey = DispatchSpecificKey<ObjectIdentifier>()

  /// Opens a storage in a folder, and makes the folder if there is none.
  ///
  /// - Reads no file: ``load(into:_:options:)`` does.
  /// - Parameters:
  ///   - folder: The folder, which should hold nothing else. All folders above it are made, too. Only the user of this
  ///     process may enter it if it is made, and read or write the files.
  ///   - durability: The guarantee about what is acknowledged.
  /// - Throws: ``StorageError/file(_:)``: the folder cannot be made or written, or another storage uses it.
  public convenience init(at folder: URL, durability: Durability = .full) throws(StorageError) {
    try self.init(Self.make(folder, durability), durability: durability)
    #if canImport(Darwin) && !os(macOS)
      let observer = BackgroundObserver(self)
      background.withLock { $0 = observer }
    #endif
  }

  /// Opens a folder, which is made if there is none.
  private static func make(_ folder: URL, _ durability: Durability) throws(StorageError) -> DiskFolder {
    do throws(FileError) {
      return try DiskFolder(making: folder.path, durability)
    } catch {
      throw .file(error)
    }
  }

  /// Makes a storage in memory, which is gone with it: for tests and previews.
  public static func inMemory() -> Storage {
    // A folder that nobody else has is not in use.
    try! Storage(MemoryFolder(), durability: .full)
  }

  /// - Parameters:
  ///   - background: Runs work that may take long.
  ///   - later: Runs work after a while.
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

  /// Saves what the stores have accepted before this call, and returns when it is as durable as the storage says.
  ///
  /// - Writes nothing if nothing has changed. While another moment of a recording is shown, the present is saved, without
  ///   the actions that are held until the tree returns to it.
  /// - Throws: The first ``StorageError``; what could be saved is, and the rest is tried again. If all is saved, but an
  ///   action was dropped because it could not be written ahead, its ``StorageError/refused(_:because:)``: unless its
  ///   caller was told, or an earlier flush has said so.
  public func flush() async throws(StorageError) {
    try await savingAll { core throws(StorageError) in try core.saveAll() }
  }

  /// Runs a body that saves what the stores have accepted, and throws what was refused of that.
  func savingAll(_ body: @escaping @Sendable (StorageCore) throws(StorageError) -> Void) async throws(StorageError) {
    let told = refusals.told
    try await run { [refusals] core throws(StorageError) in
      try body(core)
      core.sources.noteRefusals()
      if let refusal = refusals.take(since: told) { throw refusal }
    }
  }

  /// Writes all parts as they are now, in place of the actions of a journal: none of them is reduced again later.
  ///
  /// - ``close()`` does it, and a ``Journal`` every so many steps. Do it when a program is about to be replaced by another
  ///   version that may end it before it can close its storage.
  /// - Writes nothing if nothing has changed since all parts were written.
  /// - Throws: As ``flush()``; ``StorageError/closed``.
  public func snapshot() async throws(StorageError) {
    try await savingAll { core throws(StorageError) in
      guard !core.isClosed else { throw .closed }
      try core.saveAll()
      try core.snapshot()
    }
  }

  /// Removes everything that is stored, and then what was kept aside. After a crash what is stored is gone in whole, or not
  /// at all; of what was kept aside some files may be left.
  ///
  /// - Files and folders that no storage has written stay, whatever their names are, and keep nothing else in the folder.
  ///   A file with the name of one of the storage's files counts as the storage's.
  /// - The stores keep their states. Of each, nothing is stored again before one of its parts changes, or an action is
  ///   journaled; then all of them are.
  /// - Throws: ``StorageError/closed``, ``StorageError/changedElsewhere``, or the error of a file. Then some of it, or
  ///   all, may still be there: erase again.
  public func erase() async throws(StorageError) {
    try await run { core throws(StorageError) in try core.erase() }
  }

  /// Saves everything, and gives back the right to write: at the end of a program, or while it is suspended.
  ///
  /// - With a ``Journal`` all parts are written, unless nothing was journaled since that was done last. So no action is
  ///   reduced again after a program that has closed its storage.
  /// - On iOS, tvOS, watchOS and visionOS this is done when the program goes to the background: the system ends a
  ///   suspended program that has locked a file in a container which it shares. A program that is started in the
  ///   background closes its storage itself: it is not told when it is suspended.
  /// - A storage that is closed already saves nothing.
  /// - A program that ends without it loses nothing that was acknowledged, but what it has not saved yet.
  /// - Throws: The first ``StorageError`` of what could not be saved, or what ``flush()`` throws of an action that was
  ///   dropped. The right to write is given back all the same.
  public func close() async throws(StorageError) {
    try await savingAll { core throws(StorageError) in try core.close() }
  }

  /// Takes the right to write again, as when the program comes back from the background.
  ///
  /// - A storage that is not closed stays as it is.
  /// - Throws: ``StorageError/file(_:)`` if another process has it; ``StorageError/changedElsewhere`` if another one has
  ///   written meanwhile. Then nothing is saved until the parts are loaded again.
  public func reopen() async throws(StorageError) {
    try await run { core throws(StorageError) in try core.reopen() }
  }

  /// The problems of this storage: the last hundred, and all that follow.
  ///
  /// - Each call makes a sequence of its own, which ends when the storage has gone.
  public var problems: AsyncStream<StorageError> { problemBroadcast.stream() }

  /// The progress of loading with a ``Journal``: the last one, and all that follow.
  ///
  /// - Each call makes a sequence of its own, which ends when the storage has gone. Who reads slowly gets the newest one.
  public var progress: AsyncStream<JournalProgress> { progressBroadcast.stream() }
}

// MARK: - The queue

extension Storage {
  /// Runs a body on the queue, after everything that was asked for before.
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

  /// Runs a body on the queue later.
  func runLater(_ body: @escaping @Sendable (StorageCore) -> Void) {
    queue.async { body(self.core) }
  }

  /// Runs a body on the queue, and waits for it; at once on the queue.
  func runNow(_ body: (StorageCore) -> Void) {
    guard DispatchQueue.getSpecific(key: Self.queueKey) != ObjectIdentifier(self) else { return body(core) }
    queue.sync { body(core) }
  }
}

extension Storage {
  /// Opens a note in the folder; nil if the folder is in memory, or the note cannot be opened.
  package func openNote(_ name: String) -> (any FolderNote)? { try? core.folder.openNote(name) }
}

extension Storage {
  /// Closes the storage until ``resume()``, and waits for that.
  ///
  /// - Parameters:
  ///   - isInTime: `false` if there is no time to save: what has changed stays unsaved until then.
  ///   - isInBackground: Returns `false` if the program is back before the storage's queue comes to this.
  package func suspend(isInTime: Bool, if isInBackground: () -> Bool = { true }) {
    runNow { core in if isInBackground() { core.suspend(isInTime: isInTime) } }
  }

  /// Opens the storage again later, unless it was closed in another way.
  package func resume() {
    runLater { core in core.resume() }
  }
}

#if canImport(Darwin) && !os(macOS)
  /// An observer of the program's way to the background and back, which suspends and resumes a storage.
  final class BackgroundObserver: @unchecked Sendable {  // The tokens are set once, and used by the `deinit`.
    private var tokens: [any NSObjectProtocol] = []

    /// `true` in the background: the program may be back before the storage's queue comes to close it.
    private let isInBackground = AtomicFlag(false)

    init(_ storage: Storage) {
      // By their names: the frameworks that declare them are not linked into every program.
      for name in [
        "UIApplicationDidEnterBackground", "NSExtensionHostDidEnterBackground", "WKApplicationDidEnterBackground",
      ] {
        observe(name) { [weak self, weak storage] in
          self?.isInBackground.store(true)
          // Asks the system for the time that this needs.
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
