/// The moment after an entry of a file, at which the file says what the state of one store is.
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

  /// The state of the store; nil if the store has gone.
  var state: RecordedValue? { block.state(after: index) }

  /// The changes of the entry in the state of the store.
  var changes: [RecordingChange] { block.changes[index] }
}

/// Entries of a file that have changed the state of one store: its state before the first one, and the changes of each.
///
/// - Entries refer to their block, and not to states: of these it has one. No block has states of other stores, so that
///   a recording of many takes no more memory than its entries.
final class FileBlock: @unchecked Sendable {  // Changed only until the recording that refers to it was read.
  private let state: RecordedValue
  private(set) var changes: [[RecordingChange]] = []

  init(state: RecordedValue) {
    self.state = state
  }

  var count: Int { changes.count }

  /// Adds the changes of an entry, which apply to the state that the entries before it have left.
  fileprivate func append(_ changes: [RecordingChange]) {
    self.changes.append(changes)
  }

  /// The state that an entry has left; nil if the store has gone.
  func state(after index: Int) -> RecordedValue? {
    var state: RecordedValue? = self.state
    for change in changes[...index].joined() {
      // Each was applied when the file was read.
      try? change.apply(toStore: &state)
    }
    return state
  }
}

extension RecordingChange {
  /// Makes the change in the state of the store that its path names first.
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
  /// Puts changes into the order that they have in the file from which the entry was read.
  ///
  /// - A part that was removed and added again is the last part of an object there, and somewhere else
  ///   in what the program has encoded: changes of the same parts may come in another order.
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

/// An action of a file that cannot be reduced again, as the file has it.
///
/// - It is the ``Recording/Entry/action`` of entries whose ``Recording/Entry/importVerdict`` is not
///   ``ImportVerdict/repeatable(_:)``.
public struct FileAction: Sendable, CustomStringConvertible {
  /// The name of the action: `add` of `add(id: 3)`.
  public let name: String

  /// The action as a line of text: `add(id: 3)`.
  public let description: String

  /// The value of the action; nil if the file has none.
  public let value: RecordedValue?

  /// The reason why it cannot be reduced again: one sentence.
  let reason: String

  /// `true` if the action is none of this program.
  let isImpossible: Bool
}

extension Recording.Entry {
  /// The judgement of an action that was read from a file; nil of one that was recorded or performed here.
  public var importVerdict: ImportVerdict<Action>? {
    guard isImported else { return nil }
    guard let action = action as? FileAction else { return rootAction.map { .repeatable($0) } }
    return action.isImpossible ? .impossible(action.reason) : .shownOnly(action.reason)
  }
}

extension Recording.Entry {
  /// `true` if the state after the action is that of a file.
  var isShownFromFile: Bool { if case .recorded = root { isImported } else { false } }
}

/// The text of a value that a file has, of which it has nothing else: a task's key, or an error.
struct FileText: Hashable, Error, CustomStringConvertible {
  let text: String

  var description: String { text }
}
