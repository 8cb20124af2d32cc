internal import Foundation

/// A file that is written beside its place, and is there only when it is whole.
///
/// - It keeps the rights of the file that it replaces. Without one, only its owner may read and write it.
final class UnfinishedFile {
  private let place: URL
  private let draft: URL
  private let handle: FileHandle
  private var isFinished = false

  init(for place: URL) throws(RecordingFileError) {
    self.place = place
    let name = ".\(place.lastPathComponent).\(UUID().uuidString)"
    draft = place.deletingLastPathComponent().appending(path: name)
    _ = try PrivateFile.rights(at: place.path)
    handle = try PrivateFile.make(draft.path)
  }

  deinit {
    guard !isFinished else { return }
    try? handle.close()
    try? FileManager.default.removeItem(at: draft)
  }

  func write(_ bytes: [UInt8]) throws {
    try handle.write(contentsOf: Data(bytes))
  }

  func finish() throws(RecordingFileError) {
    if let rights = try PrivateFile.rights(at: place.path), !PrivateFile.give(rights, to: handle) {
      let reason = String(cString: strerror(errno))
      throw .system("The file \(place.path) cannot be replaced by one with its rights: \(reason)")
    }
    do {
      // A name that is there before the bytes would be worth nothing after a loss of power.
      try handle.synchronize()
      try handle.close()
    } catch {
      throw .system("The file \(place.path) cannot be written: \(error.localizedDescription)")
    }
    guard rename(draft.path, place.path) == 0 else {
      throw .system("The file \(place.path) cannot be put into its place: \(String(cString: strerror(errno)))")
    }
    isFinished = true
  }
}
