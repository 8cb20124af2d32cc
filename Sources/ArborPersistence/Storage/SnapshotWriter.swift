internal import Arbor
internal import Dispatch

/// A writer of snapshots that works outside the storage's queue, one snapshot at a time. Used on that queue.
final class SnapshotWriter: @unchecked Sendable {  // One queue uses it.
  private let writer: LockedWriter
  private let problems: Broadcast<StorageError>
  private let queue: DispatchQueue

  /// Runs work that may take a long time, outside the queue.
  private let background: @Sendable (@escaping @Sendable () -> Void) -> Void

  /// The snapshot that is being written; nil if there is none.
  private var running: RunningSnapshot?

  init(
    _ writer: LockedWriter,
    _ problems: Broadcast<StorageError>,
    _ queue: DispatchQueue,
    _ background: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void
  ) {
    self.writer = writer
    self.problems = problems
    self.queue = queue
    self.background = background
  }

  /// `true` while a snapshot is being written.
  var isRunning: Bool { running != nil }

  /// Begins to write a state.
  ///
  /// - Parameters:
  ///   - owner: The owner of the folder's lock. It is kept alive until the state is completed.
  ///   - write: Writes the state, and returns its size.
  func begin(_ draft: FolderWriter.Draft, of owner: some Sendable, _ write: @escaping @Sendable () throws -> Int) {
    let snapshot = RunningSnapshot(draft)
    running = snapshot
    background { [self] in
      snapshot.end(with: Result { try write() })
      queue.async { withExtendedLifetime(owner) { self.finish(snapshot) } }
    }
  }

  /// Waits for the running snapshot, before another owner may write or the files are read.
  func settle() {
    if let running { finish(running) }
  }

  private func finish(_ snapshot: RunningSnapshot) {
    guard running === snapshot else { return }
    running = nil
    do {
      writer.finish(snapshot.draft, size: try snapshot.size(), telling: problems)
    } catch {
      // The logs continue from the previous state.
      writer.abandon(snapshot.draft)
      problems.tell(StorageError(reading: error))
    }
  }
}

/// A snapshot that is being written on another thread.
private final class RunningSnapshot: Sendable {
  let draft: FolderWriter.Draft
  private let result = Protected<Result<Int, any Error>?>(nil)
  private let group = DispatchGroup()

  init(_ draft: FolderWriter.Draft) {
    self.draft = draft
    group.enter()
  }

  deinit {
    // A group that was entered but not left is never freed.
    if result.withLock({ $0 }) == nil { group.leave() }
  }

  func end(with size: Result<Int, any Error>) {
    result.withLock { $0 = size }
    group.leave()
  }

  /// Waits until the snapshot is written, and returns its size.
  func size() throws -> Int {
    group.wait()
    return try result.withLock { $0! }.get()
  }
}
