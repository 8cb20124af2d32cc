internal import Arbor
internal import ArborPersistence
internal import Foundation

/// The reduction that was in progress when the process ended.
enum ReductionPlace: Hashable, Sendable {
  /// The action at a position of the log.
  case position(Int)

  /// The client's own waiting actions, on top of the confirmed state at a position.
  case onTop(of: Int)

  /// One of the actions that were waiting at the start, by its index.
  case waiting(Int)

  /// `true` if both name the same work. For the client's own actions, the position may differ, because the log may have
  /// grown since.
  fileprivate func isSame(as other: ReductionPlace?) -> Bool {
    if case (.onTop, .onTop?) = (self, other) { true } else { self == other }
  }
}

/// A file next to an outbox that names the action being reduced.
///
/// If a reducer ends the program, the next start reads the file and knows which action it was.
///
/// - **The next start** doesn't reduce the noted action. The start after that tries it once more, because something else may
///   have ended the process. If the process ends there again, no later start of the same program reduces it.
/// - The file is written before each confirmed action is reduced, and never synced: it only has to survive the process, not the
///   system.
package final class ReductionNote: Sendable {
  /// The name of the file.
  private static let name = "reducing"

  private let note: any FolderNote
  private let content: Protected<Content>

  /// The place that this process doesn't reduce; nil if there is none.
  let avoided: ReductionPlace?

  /// - Parameter program: The identity of this program. A note by another program is ignored, because its reducer may differ.
  private init(_ note: any FolderNote, program: UInt64) {
    self.note = note
    var content = Content(note.bytes) ?? Content()
    if content.program != program { content = Content() }
    content.program = program
    if let place = content.current {
      content.ends = place.isSame(as: content.suspect) ? content.ends + 1 : 1
      (content.suspect, content.current) = (place, nil)
      avoided = place
    } else {
      avoided = content.ends > 1 ? content.suspect : nil
    }
    note.write(content.bytes)
    self.content = Protected(content)
  }

  /// Opens the note in the folder of a storage; nil if it cannot be stored there.
  static func open(in storage: Storage) -> ReductionNote? {
    storage.openNote(name).map { ReductionNote($0, program: program) }
  }

  /// Notes the next reduction; nil if nothing is left to reduce.
  func willReduce(_ place: ReductionPlace?) {
    let bytes = content.withLock { content -> [UInt8] in
      if place == nil, content.isSuspectPassed { (content.suspect, content.ends) = (nil, 0) }
      content.current = place
      return content.bytes
    }
    note.write(bytes)
  }

  /// The identity of this program: a checksum of its executable's path, size and date.
  private static let program: UInt64 = {
    let path = Bundle.main.executableURL?.path ?? ""
    let file = try? FileManager.default.attributesOfItem(atPath: path)
    let date = (file?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
    return UInt64(Checksum(of: "\(path) \(file?[.size] ?? 0) \(date)").value)
  }()

  private struct Content: Sendable {
    /// The place that is being reduced; nil if there is none.
    var current: ReductionPlace?

    /// The place that was being reduced when a process last ended, and the number of ends there in a row.
    var suspect: ReductionPlace?
    var ends: UInt64 = 0
    var program: UInt64 = 0

    init() {}

    init?(_ bytes: [UInt8]) {
      var reader = RecordReader(bytes[...])
      do throws(RecordReader.Malformed) {
        (current, suspect) = (try reader.reductionPlace(), try reader.reductionPlace())
        (ends, program) = (try reader.fixedNumber(), try reader.fixedNumber())
        guard try reader.fixedNumber() == Self.checksum(of: bytes.dropLast(8)), reader.isAtEnd else { return nil }
      } catch {
        return nil
      }
    }

    /// The encoded content, which always has the same length.
    var bytes: [UInt8] {
      var bytes: [UInt8] = []
      for place in [current, suspect] {
        switch place {
        case .position(let position): bytes.append(fixed: 1, UInt64(position))
        case .waiting(let index): bytes.append(fixed: 2, UInt64(index))
        case .onTop(let position): bytes.append(fixed: 3, UInt64(position))
        case nil: bytes.append(fixed: 0, 0)
        }
      }
      bytes.append(fixed: ends, program)
      bytes.append(fixed: Self.checksum(of: bytes[...]))
      return bytes
    }

    private static func checksum(of bytes: ArraySlice<UInt8>) -> UInt64 {
      var checksum = Checksum()
      bytes.withUnsafeBytes { checksum.add($0) }
      return UInt64(checksum.value)
    }

    /// `true` if the process has survived the reduction of the suspect, or has reached a later place.
    var isSuspectPassed: Bool {
      guard let current else { return false }
      if case (.position(let suspect)?, .position(let position)) = (suspect, current) { return position >= suspect }
      if case (.position(let suspect)?, .onTop(let position)) = (suspect, current) { return position >= suspect }
      return current.isSame(as: suspect)
    }
  }
}

extension [UInt8] {
  fileprivate mutating func append(fixed numbers: UInt64...) {
    for number in numbers { Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) } }
  }
}

extension RecordReader {
  fileprivate mutating func fixedNumber() throws(Malformed) -> UInt64 {
    var number: UInt64 = 0
    for place in 0..<8 { number |= UInt64(try byte()) << UInt64(place * 8) }
    return number
  }

  fileprivate mutating func reductionPlace() throws(Malformed) -> ReductionPlace? {
    let (kind, number) = (try fixedNumber(), try fixedNumber())
    guard let number = Int(exactly: number) else { throw Malformed() }
    switch kind {
    case 1: return .position(number)
    case 2: return .waiting(number)
    case 3: return .onTop(of: number)
    default: return nil
    }
  }
}
