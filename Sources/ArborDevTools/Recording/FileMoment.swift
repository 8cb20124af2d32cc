/// The moment after an entry of a file, with the state of one store.
struct FileMoment: Sendable {
  private let block: FileBlock

  /// The place of the entry in its block.
  private let index: Int

  /// Adds an entry to the end of a block.
  init(adding changes: [RecordingChange], to block: FileBlock) {
    self.block = block
    index = block.count
    block.append(changes)
  }

  /// The state of the store; nil if the store is gone.
  var state: RecordedValue? { block.state(after: index) }

  /// The changes that the entry made to the store's state.
  var changes: [RecordingChange] { block.changes[index] }
}

/// Entries of a file that changed the state of one store: its state before the first one, and the changes of each.
///
/// - Entries refer to their block instead of states, because the block has a single state. A block contains no states of
///   other stores, so a recording of many stores needs no more memory than its entries.
final class FileBlock: @unchecked Sendable {  // Only changed until the recording that refers to it was read.
  private let state: RecordedValue
  private(set) var changes: [[RecordingChange]] = []

  init(state: RecordedValue) {
    self.state = state
  }

  var count: Int { changes.count }

  /// Adds the changes of an entry. They apply to the state after the previous entries.
  fileprivate func append(_ changes: [RecordingChange]) {
    self.changes.append(changes)
  }

  /// Returns the state after an entry; nil if the store is gone.
  func state(after index: Int) -> RecordedValue? {
    var state: RecordedValue? = self.state
    for change in changes[...index].joined() {
      // Each change was already applied when the file was read.
      try? change.apply(toStore: &state)
    }
    return state
  }
}

extension RecordingChange {
  /// Applies the change to the state of a store. The first step of its path names the store.
  func apply(toStore state: inout RecordedValue?) throws(RecordingChangeError) {
    guard path.count > 1 else {
      guard state != nil || value != nil else { throw RecordingChangeError(path: path) }
      state = value
      return
    }
    guard var part = state.take() else { throw RecordingChangeError(path: path) }
    defer { state = part }
    try apply(to: &part, atLevel: 1)
  }
}

extension Recording.Entry {
  /// Returns changes in the order that they have in the file from which the entry was read.
  ///
  /// - A part that was removed and added again is the last part of an object in the file, but not in the program's own
  ///   encoding. Changes of the same parts can therefore have different orders.
  func inFileOrder(_ changes: [RecordingChange]) -> [RecordingChange] {
    guard isImported, let steps = note.details?.steps else { return changes }
    var ordered = changes
    for (store, step) in steps {
      guard case .file(let moment) = step else { continue }
      let inFile = moment.changes
      let places = ordered.indices.filter { ordered[$0].path.first == .key("\(store)") }
      guard places.count == inFile.count, inFile.allSatisfy(ordered.contains) else { continue }
      for (place, change) in zip(places, inFile) { ordered[place] = change }
    }
    return ordered
  }
}

/// An action of a file that can't be reduced again, in the form of the file.
///
/// - It is the ``Recording/Entry/action`` of entries whose ``Recording/Entry/importVerdict`` is not
///   ``ImportVerdict/repeatable(_:)``.
public struct FileAction: Sendable, CustomStringConvertible {
  /// The name of the action, such as `add` for `add(id: 3)`.
  public let name: String

  /// The action as a line of text, such as `add(id: 3)`.
  public let description: String

  /// The value of the action; nil if the file has none.
  public let value: RecordedValue?

  /// The reason why the action can't be reduced again, in one sentence.
  let reason: String

  /// `true` if the action isn't one of this program's.
  let isImpossible: Bool
}

extension Recording.Entry {
  /// The verdict on an action that was read from a file; nil for an action that was recorded or performed here.
  public var importVerdict: ImportVerdict<Action>? {
    guard isImported else { return nil }
    guard let action = action as? FileAction else { return rootAction.map { .repeatable($0) } }
    return action.isImpossible ? .impossible(action.reason) : .shownOnly(action.reason)
  }
}

extension Recording.Entry {
  /// `true` if the state after the action comes from a file.
  var isShownFromFile: Bool { if case .recorded = root { isImported } else { false } }
}

/// The text of a task's key or an error in a file, which contains nothing else about it.
struct FileText: Hashable, Error, CustomStringConvertible {
  let text: String

  var description: String { text }
}
