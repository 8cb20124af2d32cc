internal import Arbor
package import Foundation

/// A writer of a recording's file, entry by entry.
///
/// - Keeps no entries: what is written is handed on whenever there is enough of it.
/// - A file is written beside its place and put there by ``finish(_:)``, in the place of one that was there: whatever happens before, an
///   older file stays, and no half of a new one.
/// - From one thread at a time.
package final class RecordingFileWriter {
  private var text = JSONText()
  private var hasEntries = false
  private var isFinished = false
  private let sink: ([UInt8]) throws -> Void
  private let file: UnfinishedFile?

  /// So many bytes are handed on at once.
  private static let piece = 1 << 16

  /// Begins to write a file.
  package convenience init(_ header: RecordingDocument.Header, to url: URL) throws(RecordingFileError) {
    let file = try UnfinishedFile(for: url)
    try self.init(header, file: file) { try file.write($0) }
  }

  /// Begins to write to a file that is open, and stays so.
  package convenience init(_ header: RecordingDocument.Header, to handle: FileHandle) throws(RecordingFileError) {
    try self.init(header) { try handle.write(contentsOf: Data($0)) }
  }

  /// Begins to write to anything else.
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

  /// Writes an entry behind the others.
  package func append(_ entry: RecordingDocument.Entry) throws(RecordingFileError) {
    precondition(!isFinished, "The recording is finished, so no entry can be written any more.")
    if hasEntries { text.append(",\n") }
    hasEntries = true
    entry.append(to: &text)
    try handOn(atLeast: RecordingFileWriter.piece)
  }

  /// Writes the end, and puts the file into its place.
  package func finish(_ trailer: RecordingDocument.Trailer) throws(RecordingFileError) {
    precondition(!isFinished, "The recording is finished already.")
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

  /// Writes what comes behind the entries.
  mutating func end(_ trailer: RecordingDocument.Trailer) {
    var trailer = trailer
    append("]")
    trailer.exchange(with: &self)
    append("}")
  }
}

/// A file that is written under another name, and gets its own only when it is whole.
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
