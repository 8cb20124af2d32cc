import Arbor
import ArborPersistence
import ArborSync
import ArborTesting
import Foundation
import TestSupport

/// A log in one place, which several processes can open. All kinds of logs have the same rules.
struct LogPlace: Sendable {
  enum Kind: CaseIterable, Sendable {
    case memory, memoryFolder, disk
  }

  /// Opens the log again, as another process would.
  let open: @Sendable () -> any OrderedLog

  /// Advances the log's time by seconds.
  let advance: @Sendable (Int) -> Void

  /// The lease of each log, in seconds.
  static let lease = 100

  init(_ kind: Kind) {
    switch kind {
    case .memory:
      let clock = TestClock()
      let log = MemoryLog(lease: .seconds(Self.lease), clock: clock)
      self.init(open: { log }, advance: { clock.advance(by: .seconds($0)) })
    case .memoryFolder:
      let folder = MemoryFolder()
      self.init { folder }
    case .disk:
      let folder = TemporaryFolder()
      self.init { try! DiskFolder(making: folder.url.path, .none) }
    }
  }

  private init(open: @escaping @Sendable () -> any OrderedLog, advance: @escaping @Sendable (Int) -> Void) {
    (self.open, self.advance) = (open, advance)
  }

  /// Makes a place for a log in a folder, which each process opens separately.
  init(_ folder: @escaping @Sendable () -> any FileFolder) {
    let second = Protected(0)
    let open: @Sendable () -> any OrderedLog = {
      // The log keeps the closure that makes the folder, and with it the folder itself.
      FileLog(folder(), .full, lease: .seconds(Self.lease)) { withExtendedLifetime(folder) { second.withLock { $0 } } }
    }
    self.init(open: open) { count in second.withLock { $0 += count } }
  }
}

/// A folder that is removed with this object.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "ArborSyncTests.\(UUID())")

  deinit {
    try? FileManager.default.removeItem(at: url)
  }
}
