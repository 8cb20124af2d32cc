internal import Foundation

/// A file that its owner has locked: the system gives the lock back when the process ends, however it ends.
///
/// - Only its owner may open it: no other user can take the lock.
/// - Whoever finds no file of that name makes another one, and locks that: a lock whose file was removed is worth nothing.
final class DiskLock: FolderLock {
  /// The name of its file.
  static let name = "lock"

  private let descriptor: Int32
  let previousOwner: String?

  init(in folder: Int32, _ path: String, _ owner: String) throws(FileError) {
    descriptor = try SystemCall.openFile(.lock, Self.name, O_RDWR | O_CREAT, in: folder, path: path)
    let isLocked = SystemCall.lock(descriptor)
    let number = errno
    let text = Self.text(in: descriptor)
    previousOwner = text
    guard isLocked else {
      errno = number
      guard number == EWOULDBLOCK else { throw FileError(.lock, path) }
      throw FileError(.lock, path, .inUse(by: text.split(separator: "\n").first.map(String.init) ?? "another process"))
    }
    // Of a text that could not be written there is an empty one.
    ftruncate(descriptor, 0)
    _ = Array(owner.utf8).withUnsafeBytes { pwrite(descriptor, $0.baseAddress, $0.count, 0) }
  }

  /// `true` if the file of that name in the folder is the one that is locked.
  func isInPlace(in folder: Int32) -> Bool { SystemCall.leads(Self.name, in: folder, to: descriptor) }

  private static func text(in descriptor: Int32) -> String {
    let bytes = [UInt8](unsafeUninitializedCapacity: 1024) { buffer, count in
      count = max(pread(descriptor, buffer.baseAddress, 1024, 0), 0)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  deinit { close(descriptor) }
}

/// The lock of a folder, as long as its owner has it.
struct HeldLock: Sendable {
  weak var lock: DiskLock?
}
