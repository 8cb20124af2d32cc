import Arbor
import ArborDevTools
import Foundation
import TestSupport

/// Recordings to write and read.
enum Recordings {
  static let header = RecordingDocument.Header(
    name: "Shop \"</script>\u{2028}",
    state: "AppState",
    action: "AppAction",
    began: Date(timeIntervalSince1970: 1_795_000_000),
    encoding: .codable,
    base: RecordedObject([.init("1", .object(RecordedObject([.init("count", .integer(0)), .init("$$arbor", .null)])))])
  )

  static let trailer: RecordingDocument.Trailer = {
    var task = RecordingDocument.Task(
      id: 7,
      store: 1,
      key: "search",
      cause: ActionCause(.action, action: 2),
      began: 100.5
    )
    task.ended = 900
    task.outcome = .failed
    task.error = "no \"answer\""
    let running = RecordingDocument.Task(id: 8, store: 3, key: nil, cause: .outside, began: 1)
    return RecordingDocument.Trailer(
      stores: [
        RecordingDocument.Store(id: 1, parent: nil, state: "AppState", made: 0),
        RecordingDocument.Store(id: 3, parent: 1, state: "Cart", made: 5.25, gone: 12),
      ],
      tasks: [task, running],
      metrics: .object(RecordedObject([.init("actions", .array([]))])),
      position: 2,
      omitted: 5
    )
  }()

  /// Entries with everything that entries can have.
  static let entries: [RecordingDocument.Entry] = {
    let first = RecordingDocument.Entry(number: 6, store: 1, name: "clear", text: ".clear")
    var second = RecordingDocument.Entry(
      number: 7,
      store: 1,
      name: "add",
      text: "add(id: 3)",
      action: .object(RecordedObject([.init("add", .object(RecordedObject([.init("id", .integer(3))])))])),
      cause: ActionCause(.task, action: 6, task: 7),
      outcome: .replaced
    )
    second.replacement = "add(id: 4)"
    second.times = ActionTimes(
      accepted: .microseconds(12.5),
      waited: .microseconds(1),
      intercepted: .microseconds(0),
      reduced: .microseconds(0.125),
      performed: .microseconds(3),
      delivered: .microseconds(1e-3)
    )
    second.changes = [
      RecordingChange([.key("1"), .key("count")], .integer(1)),
      RecordingChange([.key("1"), .key("items"), .index(0), .key("é")], .redacted),
      RecordingChange([.key("3")], nil),
      RecordingChange([.key("1"), .key("nothing")], .null),
    ]
    second.made = [3, 4]
    second.gone = [2]
    var third = RecordingDocument.Entry(number: 8, store: 3, name: "set", text: "set(nil)", action: .null)
    (third.isSkipped, third.isBarrier, third.isBatch) = (true, true, true)
    return [first, second, third]
  }()

  /// Returns an entry of about 300 bytes, as in small programs.
  static func small(_ number: Int) -> RecordingDocument.Entry {
    var entry = RecordingDocument.Entry(
      number: number,
      store: 1,
      name: "add",
      text: "add(id: \(number))",
      action: .object(RecordedObject([.init("add", .object(RecordedObject([.init("id", RecordedValue(number))])))])),
      cause: ActionCause(.action, action: UInt64(max(number - 1, 0)))
    )
    entry.times = ActionTimes(
      accepted: .microseconds(Double(number) + 0.125),
      waited: .microseconds(1.5),
      intercepted: .microseconds(0),
      reduced: .microseconds(0.25),
      performed: .microseconds(0.75),
      delivered: .microseconds(2)
    )
    entry.changes = [
      RecordingChange([.key("1"), .key("items"), .index(number % 10), .key("count")], RecordedValue(number)),
      RecordingChange([.key("1"), .key("last")], .string("item \(number)")),
    ]
    return entry
  }

  /// Returns the bytes of a recording.
  static func bytes(_ entries: some Sequence<RecordingDocument.Entry>, position: Int) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let writer = try RecordingFileWriter(header) { bytes += $0 }
    for entry in entries { try writer.append(entry) }
    var trailer = trailer
    trailer.position = position
    try writer.finish(trailer)
    return bytes
  }

  /// Returns the URL of a kept file.
  static func kept(_ name: String) -> URL {
    URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Kept/\(name)")
  }

  /// Calls a body with a folder that is removed afterward.
  static func withFolder<Result>(_ body: (URL) throws -> Result) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appending(path: "arbor-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try body(folder)
  }
}
