internal import Arbor
package import Foundation

/// A writer of a recording's file, entry by entry.
///
/// - It keeps no entries: it passes on the written bytes whenever there are enough of them.
/// - It writes a file under another name in the same folder. ``finish(_:)`` moves it to its place, replacing an older
///   file. Until then, the older file stays, and there is never a partial new file in its place.
/// - Use it from one thread at a time.
package final class RecordingFileWriter {
  private var text = JSONText()
  private var hasEntries = false
  private var isFinished = false
  private let sink: ([UInt8]) throws -> Void
  private let file: UnfinishedFile?

  /// The number of bytes that are passed on at once.
  private static let piece = 1 << 16

  /// Starts writing a file.
  package convenience init(_ header: RecordingDocument.Header, to url: URL) throws(RecordingFileError) {
    let file = try UnfinishedFile(for: url)
    try self.init(header, file: file) { try file.write($0) }
  }

  /// Starts writing to an open file, which stays open.
  package convenience init(_ header: RecordingDocument.Header, to handle: FileHandle) throws(RecordingFileError) {
    try self.init(header) { try handle.write(contentsOf: Data($0)) }
  }

  /// Starts writing to a closure.
  ///
  /// - Parameter sink: Takes the next bytes.
  package convenience init(
    _ header: RecordingDocument.Header,
    sink: @escaping (_ bytes: [UInt8]) throws -> Void
  ) throws(RecordingFileError) {
    try self.init(header, file: nil, sink)
  }

  private init(
    _ header: RecordingDocument.Header,
    file: UnfinishedFile?,
    _ sink: @escaping ([UInt8]) throws -> Void
  ) throws(RecordingFileError) {
    self.file = file
    self.sink = sink
    text.begin(header)
    text.append("\n")
    try handOn(atLeast: 0)
  }

  /// Writes an entry after the others.
  package func append(_ entry: RecordingDocument.Entry) throws(RecordingFileError) {
    precondition(!isFinished, "The recording is finished, so no more entries can be written.")
    if hasEntries { text.append(",\n") }
    hasEntries = true
    entry.append(to: &text)
    try handOn(atLeast: RecordingFileWriter.piece)
  }

  /// Writes the end, and moves the file to its place.
  package func finish(_ trailer: RecordingDocument.Trailer) throws(RecordingFileError) {
    precondition(!isFinished, "The recording is already finished.")
    isFinished = true
    if hasEntries { text.append("\n") }
    text.end(trailer)
    text.append("\n")
    try handOn(atLeast: 0)
    try file?.finish()
  }

  private func handOn(atLeast count: Int) throws(RecordingFileError) {
    guard text.count >= count else { return }
    do { try sink(text.take()) } catch {
      throw .system("The recording cannot be written: \(Confidentiality.description(of: error))")
    }
  }
}

extension JSONText {
  /// Writes the header's line, up to the entries.
  mutating func begin(_ header: RecordingDocument.Header) {
    var header = header
    append("{")
    add("format", RecordingDocument.format)
    add("version", RecordingDocument.version)
    header.exchange(with: &self)
    append(",\"entries\":[")
  }

  /// Writes the trailer, after the entries.
  mutating func end(_ trailer: RecordingDocument.Trailer) {
    var trailer = trailer
    append("]")
    trailer.exchange(with: &self)
    append("}")
  }
}

/// A file that is written under another name and gets its own name only when it is complete.
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
      throw .system("The file \(place.path) cannot be replaced by a file with its permissions: \(reason)")
    }
    do {
      // If the name was changed first, a power failure could leave a file without its bytes.
      try handle.synchronize()
      try handle.close()
    } catch {
      throw .system("The file \(place.path) cannot be written: \(error.localizedDescription)")
    }
    guard rename(draft.path, place.path) == 0 else {
      throw .system("The file \(place.path) cannot be moved into place: \(String(cString: strerror(errno)))")
    }
    isFinished = true
  }
}
