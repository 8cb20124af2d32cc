import ArborPersistence
import SimulatedFiles
import TestSupport

/// A program that saves a text and digits to a simulated folder, crashes, is killed and starts again.
///
/// - The text and the digits are parts of a state. The text is saved as a whole, or as a difference that appends to it.
///   An action appends a digit.
/// - It keeps the history of all its values.
struct FolderWorkload {
  /// An operation of the program.
  enum Operation: CaseIterable {
    /// Appends an entry with a new text.
    case value

    /// Appends an entry with a difference that appends to the text.
    case difference

    /// Appends two entries, each with an action.
    case actions

    case sync

    /// Writes a state with a new text.
    case save

    /// Begins a state of all entries so far, or finishes the state that was begun.
    case snapshot
  }

  private(set) var folder = SimulatedFolder()
  private var writer: FolderWriter
  private var draft: (draft: FolderWriter.Draft, value: Value)?
  private var starts: UInt64 = 0

  struct Value: Equatable {
    var text = ""
    var digits = ""

    /// The parts of the value.
    var parts: [StoredPart] {
      [("text", text), ("digits", digits)].map { name, text in
        StoredPart(name: name, version: 1, coding: "text", bytes: Array(text.utf8))
      }
    }
  }

  /// The value after each entry, beginning with the empty value.
  private(set) var history = [Value()]

  /// The number of the last entry that every crash must preserve.
  private(set) var acknowledged: UInt64 = 0

  /// A complaint about the contents that the last start has found; nil if they are right.
  private(set) var complaint: String?

  init() {
    writer = FolderWriter(folder, goingOnFrom: try! FolderContents(of: folder), durability: .full) { 0 }
  }

  /// Performs an operation. Throws the errors of the folder.
  mutating func perform(_ operation: Operation) throws(FileError) {
    let number = history.count
    var value = history.last!
    switch operation {
    case .difference where value.text != "":
      value.text += "+\(number)"
      try append(value, .parts([.difference(name: "text", Array("+\(number)".utf8))]))
    case .value, .difference:
      value.text = String(repeating: "v", count: number * 200) + "\(number)"
      try append(value, .parts([.value(value.parts[0])]))
    case .actions:
      for digit in number...(number + 1) {
        value.digits += "\(digit % 10)"
        try append(value, .actions([[UInt8(digit % 10)]]))
      }
    case .sync:
      guard !writer.needsState else { return try save(value) }
      try writer.sync()
      acknowledged = max(acknowledged, writer.durableEntry)
    case .save:
      value.text = "s\(number)"
      try save(value)
    case .snapshot:
      guard let draft else {
        let isEntry = writer.needsState
        if isEntry { history.append(value) }
        self.draft = (writer.beginState(hasChanges: isEntry), value)
        return
      }
      self.draft = nil
      try finish(draft)
    }
  }

  private mutating func append(_ value: Value, _ entry: LogEntry) throws(FileError) {
    if writer.needsState, draft == nil { return try save(value) }
    history.append(value)
    do throws(FileError) {
      try writer.append([entry.bytes])
    } catch {
      if history.count - 1 > writer.entry { history.removeLast() }
      throw error
    }
  }

  private mutating func save(_ value: Value) throws(FileError) {
    history.append(value)
    try finish((writer.beginState(hasChanges: true), value))
  }

  private mutating func finish(_ state: (draft: FolderWriter.Draft, value: Value)) throws(FileError) {
    let size: Int
    do throws(FileError) {
      size = try state.draft.write(state.value.parts)
    } catch {
      writer.abandon(state.draft)
      throw error
    }
    // The state is there, even if the files before it could not be removed.
    defer { acknowledged = max(acknowledged, writer.durableEntry) }
    try writer.finish(state.draft, size: size)
  }

  // MARK: Starting again

  /// Starts again from the files left by a crash or a kill.
  mutating func start(from folder: SimulatedFolder) {
    self.folder = folder
    let contents: FolderContents
    do {
      contents = try FolderContents(of: folder)
    } catch {
      complaint = "cannot be opened: \(error)"
      return
    }
    if contents.findings.contains(where: \.isDamage) { complaint = "damage: \(contents.findings)" }
    if contents.entry < acknowledged { complaint = "entry \(contents.entry) is left of \(acknowledged)" }
    let value = Self.value(of: contents)
    if contents.entry < history.count {
      history.removeLast(history.count - 1 - Int(contents.entry))
      if value != history.last { complaint = "entry \(contents.entry) is \(value) and not \(history.last!)" }
    } else {
      complaint = "entry \(contents.entry) was never written"
    }
    starts += 1
    draft = nil
    writer = FolderWriter(folder, goingOnFrom: contents, durability: .full) { [starts] in starts }
    if writer.problems.isEmpty { acknowledged = max(acknowledged, writer.durableEntry) }
  }

  private static func value(of contents: FolderContents) -> Value {
    var value = Value()
    for part in contents.parts {
      let text = String(decoding: part.bytes + part.differences.joined(), as: UTF8.self)
      if part.name == "text" { value.text = text } else { value.digits = text }
    }
    for case .actions(let actions) in contents.actions {
      value.digits += actions.joined().map { "\($0)" }.joined()
    }
    return value
  }
}
