package import Foundation

/// A reader of a recording's file, entry by entry.
///
/// ```swift
/// let reader = try RecordingFileReader(url)
/// while let entry = try reader.next() { … }
/// let trailer = try reader.trailer()
/// ```
///
/// - It keeps no entries, and skips unknown members.
/// - After an error, it returns no more entries.
/// - Use it from one thread at a time.
package final class RecordingFileReader {
  package let header: RecordingDocument.Header

  /// The number of entries that were read, including an entry with an error.
  package private(set) var count = 0

  /// The offset of the last entry that was read.
  private(set) var offset = 0

  private var json: JSONReader
  private var isAtEnd = false
  private let handle: FileHandle?

  /// The number of bytes that are read at once.
  private static let piece = 1 << 16

  /// Opens a file and reads its header.
  package convenience init(_ url: URL) throws(RecordingFileError) {
    let handle: FileHandle
    do { handle = try FileHandle(forReadingFrom: url) } catch {
      throw .system("The file \(url.path) cannot be opened: \(error.localizedDescription)")
    }
    let descriptor = handle.fileDescriptor
    let json = JSONReader {
      try [UInt8](unsafeUninitializedCapacity: RecordingFileReader.piece) { buffer, count in
        let read = read(descriptor, buffer.baseAddress, buffer.count)
        guard read >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        count = read
      }
    }
    try self.init(json, handle)
  }

  /// Reads the header of a recording that is in memory.
  package convenience init(_ bytes: [UInt8]) throws(RecordingFileError) {
    try self.init(JSONReader(bytes), nil)
  }

  private init(_ json: JSONReader, _ handle: FileHandle?) throws(RecordingFileError) {
    var json = json
    header = try RecordingFileReader.header(from: &json)
    self.json = json
    self.handle = handle
  }

  /// Reads the beginning of a recording, up to its entries.
  private static func header(from json: inout JSONReader) throws(RecordingFileError) -> RecordingDocument.Header {
    var members = RecordedObject()
    var first = 0
    do {
      guard try json.takeIfNext("{") else { throw RecordingFileError.notARecording("it is not a JSON object") }
      first = json.offset
      while true {
        let key = try json.key()
        guard key != "entries" else { break }
        members[key] = try json.value()
        // The rest of a file in another format, or of a newer version, has an unknown structure.
        if key == "format" || key == "version" { try check(members) }
        try json.take(",")
      }
      guard members["format"] != nil, members["version"] != nil else {
        throw RecordingFileError.notARecording("its format and version don't come before its entries")
      }
      try json.take("[")
      return try RecordingDocument.Header(reading: .object(members))
    } catch let error as RecordingFileError {
      throw error
    } catch let error as JSONReadingError where members["format"] == nil {
      throw .notARecording(error.description)
    } catch {
      throw .damaged(byte: (error as? JSONReadingError)?.offset ?? first, entry: nil, "\(error)")
    }
  }

  private static func check(_ members: RecordedObject) throws(RecordingFileError) {
    if let format = members["format"], format != .string(RecordingDocument.format) {
      throw .notARecording("it has a different format")
    }
    // Files of other formats can have a version, too.
    guard members["format"] != nil, let version = members["version"] else { return }
    guard case .integer(let version) = version, version > 0 else {
      throw .notARecording("its version is not a positive number")
    }
    guard version <= RecordingDocument.version else {
      throw .newerVersion(found: Int(clamping: version), supported: RecordingDocument.version)
    }
  }

  deinit {
    try? handle?.close()
  }

  /// Reads the next entry. Returns nil if there are no more.
  package func next() throws(RecordingFileError) -> RecordingDocument.Entry? {
    guard !isAtEnd else { return nil }
    // The bytes after a damaged place aren't entries.
    isAtEnd = true
    let value: RecordedValue
    do throws(JSONReadingError) {
      if try json.takeIfNext("]") { return nil }
      if count > 0 { try json.take(",") }
      count += 1
      _ = try json.token()
      offset = json.offset
      value = try json.value()
    } catch {
      throw .damaged(byte: error.offset, entry: count, error.description)
    }
    do throws(RecordingMemberError) {
      let entry = try RecordingDocument.Entry(reading: value)
      isAtEnd = false
      return entry
    } catch {
      throw .damaged(byte: offset, entry: count, error.description)
    }
  }

  /// Reads the trailer. Skips all entries that weren't read.
  package func trailer() throws(RecordingFileError) -> RecordingDocument.Trailer {
    while try next() != nil {}
    let first = json.offset
    var members: [RecordedObject.Member] = []
    do {
      while try json.takeIfNext(",") {
        let key = try json.key()
        members.append(.init(key, try json.value()))
      }
      try json.take("}")
      try json.end()
    } catch {
      throw .damaged(byte: error.offset, entry: nil, error.description)
    }
    do throws(RecordingMemberError) {
      let trailer = try RecordingDocument.Trailer(reading: .object(RecordedObject(members)))
      guard 0...count ~= trailer.position else {
        throw RecordingMemberError(text: "the position \(trailer.position) is beyond the \(count) entries")
      }
      return trailer
    } catch {
      throw .damaged(byte: first, entry: nil, error.description)
    }
  }
}

/// The reason why a file isn't read as a recording, or can't be written.
public enum RecordingFileError: Error, Equatable {
  /// The file isn't a recording. The text gives the reason.
  case notARecording(String)

  /// The file was written by a newer version of the library, with a newer format.
  case newerVersion(found: Int, supported: Int)

  /// The file is damaged at a byte, counted from 0. The entry, counted from 1, is nil if the damage is outside the
  /// entries.
  case damaged(byte: Int, entry: Int?, String)

  /// The file is a recording that this program can show but not load. The text gives the reason.
  case notLoadable(String)

  /// The system can't read or write the file.
  case system(String)
}

extension RecordingFileError: CustomStringConvertible {
  /// One or two sentences that say what is wrong and, if possible, how to fix it.
  public var description: String {
    switch self {
    case .notARecording(let reason): "This is not a recording: \(reason)."
    case .newerVersion(let found, let supported):
      "The recording has version \(found), but this program reads versions up to \(supported). Update Arbor to read it."
    case .damaged(let byte, let entry, let reason):
      "The recording is damaged at byte \(byte)\(entry.map { ", in entry \($0)" } ?? ""): \(reason)."
    case .notLoadable(let reason): "The recording cannot be loaded: \(reason)."
    case .system(let reason): reason
    }
  }
}
