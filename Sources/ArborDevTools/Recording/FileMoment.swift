/// The moment after an entry of a file, at which the file says what each store's state is.
struct FileMoment: Sendable {
  let block: FileBlock

  /// The place of the entry in its block.
  let index: Int

  /// The state of a store; nil if it does not exist.
  func state(of store: UInt64) -> RecordedValue? { block.state(of: "\(store)", after: index) }

  /// The changes of the entry in the state of a store.
  func changes(of store: UInt64) -> [RecordingChange] {
    block.changes[index].filter { $0.path.first == .key("\(store)") }
  }
}

/// Entries of a file that follow each other: the states before the first one, and what each has changed.
///
/// - Entries refer to their block, and not to states: of these it has those of one moment.
final class FileBlock: @unchecked Sendable {  // Changed only until the recording that refers to it was read.
  private let states: RecordedObject
  private(set) var changes: [[RecordingChange]] = []

  init(states: RecordedObject) {
    self.states = states
  }

  var count: Int { changes.count }

  /// Adds the changes of an entry, which apply to the states that the entries before it have left.
  func append(_ changes: [RecordingChange]) {
    self.changes.append(changes)
  }

  /// The state that an entry has left of a store with a key.
  func state(of key: String, after index: Int) -> RecordedValue? {
    var states = RecordedObject()
    states[key] = self.states[key]
    var value = RecordedValue.object(states)
    for change in changes[...index].joined() where change.path.first == .key(key) {
      // Each was applied when the file was read.
      try? change.apply(to: &value)
    }
    guard case .object(let states) = value else { return nil }
    return states[key]
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
      let inFile = moment.changes(of: store)
      let places = ordered.indices.filter { ordered[$0].path.first == .key("\(store)") }
      guard places.count == inFile.count, inFile.allSatisfy(ordered.contains) else { continue }
      for (place, change) in zip(places, inFile) { ordered[place] = change }
    }
    return ordered
  }
}
