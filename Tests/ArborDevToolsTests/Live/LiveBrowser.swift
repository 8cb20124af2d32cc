import ArborDevTools
import Foundation

/// A browser that reads messages like the page does, and keeps their contents.
struct LiveBrowser {
  private(set) var cursor = LiveCursor()

  /// The kinds of the messages of the last pull.
  private(set) var kinds: [String] = []

  /// The text of all messages.
  private(set) var text = ""

  /// The numbers of the browser's entries, and of the entries among them that are left out.
  private(set) var numbers: [Int] = []
  private(set) var leftOut: [Int] = []

  /// The states of all stores after the browser's last entry.
  private(set) var states = RecordedValue.null

  /// The known stores: `true` if they are gone.
  private(set) var stores: [Int: Bool] = [:]

  /// The outcomes of the known tasks; "runs" for a running task.
  private(set) var tasks: [Int: String] = [:]

  /// The number of all entries before the browser's first one.
  private(set) var omitted = 0

  /// The position of the program, as a number of all entries so far.
  private(set) var place = 0
  private(set) var isTravelling = false
  private(set) var held = 0
  private(set) var skipped = 0

  /// Reads the new messages. Returns their kinds.
  @discardableResult
  mutating func pull<State, Action>(_ live: LiveRecording<State, Action>) throws -> [String] {
    kinds = []
    for message in live.messages(after: &cursor) {
      var reader = JSONReader(message)
      let value = try reader.value()
      try reader.end()
      text += String(decoding: message, as: UTF8.self)
      kinds.append(value["kind"].text)
      try take(value)
    }
    return kinds
  }

  private mutating func take(_ message: RecordedValue) throws {
    switch message["kind"].text {
    case "recording":
      let recording = message["recording"]
      (numbers, leftOut, stores, tasks) = ([], [], [:], [:])
      omitted = recording["omitted"].number
      states = recording["base"]
      try append(recording)
      place = message["position"].number + message["omitted"].number
    case "entries":
      try append(message)
      place = message["position"].number + message["omitted"].number
    case "position":
      place = message["position"].number + message["omitted"].number
      isTravelling = message["isTravelling"] == .bool(true)
      held = message["held"].number
    case "skipped": skipped += message["count"].number
    default: throw CocoaError(.fileReadCorruptFile)
    }
  }

  private mutating func append(_ message: RecordedValue) throws {
    for entry in message["entries"].elements {
      numbers.append(entry["number"].number)
      if entry["skipped"] == .bool(true) { leftOut.append(entry["number"].number) }
      for change in entry["changes"].elements {
        let path = change.elements[0].elements.map { step -> RecordingChange.Step in
          if case .string(let key) = step { .key(key) } else { .index(step.number) }
        }
        try RecordingChange(path, change.elements.dropFirst().first).apply(to: &states)
      }
    }
    for store in message["stores"].elements { stores[store["id"].number] = store["gone"] != .null }
    for task in message["tasks"].elements {
      let outcome = task["outcome"]
      tasks[task["id"].number] = outcome == .null ? "runs" : outcome.text
    }
  }
}

extension RecordedValue {
  /// Returns the value of a member; null if there is none.
  subscript(key: String) -> RecordedValue {
    if case .object(let object) = self { object[key] ?? .null } else { .null }
  }

  var elements: [RecordedValue] { if case .array(let elements) = self { elements } else { [] } }
  var text: String { if case .string(let text) = self { text } else { "" } }
  var number: Int { if case .integer(let number) = self { Int(number) } else { -1 } }
}
