import ArborPersistence
import TestSupport

/// A program that saves a text to a simulated folder, crashes, is killed and starts again; and all texts that it had.
///
/// - The text is the part of a state: it is saved as a whole, or by what was appended to it; an action appends a digit.
struct FolderWorkload {
  /// An operation of the program.
  enum Operation: CaseIterable {
    /// Appends an entry with a new text.
    case value

    /// Appends an entry with what is appended to the text.
    case difference

    /// Appends two entries with an action each.
    case actions

    case sync

    /// Writes a state with a new text.
    case save

    /// Begins a state of all entries so far, or finishes the one that was begun.
    case snapshot
  }

  private(set) var folder = SimulatedFolder()
  private var writer: FolderWriter
  private var draft: (draft: FolderWriter.Draft, text: String)?
  private var starts: UInt64 = 0

  /// The text after each entry; before the first it is empty.
  private(set) var history = [""]

  /// The number of the entry that is there after any crash.
  private(set) var acknowledged: UInt64 = 0

  /// What is wrong with what the last start has found; nil if nothing is.
  private(set) var complaint: String?

  init() {
    writer = FolderWriter(folder, goingOnFrom: try! FolderContents(of: folder), durability: .full) { 0 }
  }

  /// Performs an operation. Fails as the folder does.
  mutating func perform(_ operation: Operation) throws(FileError) {
    let number = history.count
    switch operation {
    case .value: try append(String(repeating: "v", count: number * 200) + "\(number)")
    case .difference where history.last! == "": try perform(.value)
    case .difference: try append(history.last! + "+\(number)", .difference(name: "a", Array("+\(number)".utf8)))
    case .actions:
      for number in number...(number + 1) { try append(history.last! + "\(number % 10)", action: UInt8(number % 10)) }
    case .sync:
      guard !writer.needsState else { return try save(history.last!) }
      try writer.sync()
      acknowledged = max(acknowledged, writer.durableEntry)
    case .save: try save("s\(number)")
    case .snapshot:
      guard let draft else {
        let isEntry = writer.needsState
        if isEntry { history.append(history.last!) }
        self.draft = (writer.beginState(hasChanges: isEntry), history.last!)
        return
      }
      try finish(draft)
    }
  }

  private mutating func append(_ text: String, _ change: PartChange? = nil, action: UInt8? = nil) throws(FileError) {
    if writer.needsState, draft == nil { return try save(text) }
    history.append(text)
    let entry = action.map { LogEntry.actions([[$0]]) } ?? .parts([change ?? .value(Self.part(text))])
    do throws(FileError) {
      try writer.append([entry.bytes])
    } catch {
      if history.count - 1 > writer.entry { history.removeLast() }
      throw error
    }
  }

  private mutating func save(_ text: String) throws(FileError) {
    history.append(text)
    try finish((writer.beginState(hasChanges: true), text))
  }

  private mutating func finish(_ state: (draft: FolderWriter.Draft, text: String)) throws(FileError) {
    draft = nil
    let size: Int
    do throws(FileError) {
      size = try state.draft.write([Self.part(state.text)])
    } catch {
      writer.abandon(state.draft)
      throw error
    }
    // The state is there, whether the files before it could be removed or not.
    defer { acknowledged = max(acknowledged, writer.durableEntry) }
    try writer.finish(state.draft, size: size)
  }

  private static func part(_ text: String) -> StoredPart {
    StoredPart(name: "a", version: 1, coding: "text", bytes: Array(text.utf8))
  }

  // MARK: Starting again

  /// Starts again from what a crash or an end has left.
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
    let text = Self.text(of: contents)
    if contents.entry < history.count {
      history.removeLast(history.count - 1 - Int(contents.entry))
      if text != history.last { complaint = "entry \(contents.entry) is \(text) and not \(history.last!)" }
    } else {
      complaint = "entry \(contents.entry) was never written"
    }
    starts += 1
    draft = nil
    writer = FolderWriter(folder, goingOnFrom: contents, durability: .full) { [starts] in starts }
    if writer.problems.isEmpty { acknowledged = max(acknowledged, writer.durableEntry) }
  }

  private static func text(of contents: FolderContents) -> String {
    contents.actions.reduce(contents.parts.first.map(text) ?? "") { text, entry in
      switch entry {
      case .actions(let actions): text + actions.joined().map { "\($0)" }.joined()
      case .journal: text
      case .parts(let changes):
        changes.reduce(text) { text, change in
          switch change {
          case .value(let part): Self.text(part)
          case .difference(_, let bytes): text + String(decoding: bytes, as: UTF8.self)
          }
        }
      }
    }
  }

  private static func text(_ part: StoredPart) -> String {
    String(decoding: part.bytes + part.differences.joined(), as: UTF8.self)
  }
}
