/// An entry of a log, with the changes of one step. It exists completely or not at all.
package enum LogEntry: Hashable, Sendable {
  /// The parts that have changed.
  case parts([PartChange])

  /// The form of the actions that follow, and the names of the parts that they may have changed.
  case journal(JournalForm, parts: [String])

  /// The actions of one step, in order.
  case actions([ArraySlice<UInt8>])
}

/// The form of journaled actions, and the version of the reducer that has reduced them.
package struct JournalForm: Hashable, Sendable {
  /// The version of the type of the actions.
  package var version: Int

  /// The version of the reducer.
  package var reducerVersion: Int

  /// The name of the coding.
  package var coding: String

  package init(version: Int, reducerVersion: Int, coding: String) {
    self.version = version
    self.reducerVersion = reducerVersion
    self.coding = coding
  }
}

extension LogEntry {
  /// The record of the entry: a byte for its kind, and its fields.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    switch self {
    case .parts(let changes):
      bytes.reserveCapacity(changes.reduce(64) { $0 + $1.size + 64 })
      bytes.append(1)
      bytes.append(number: UInt64(changes.count))
      for change in changes { bytes.append(change) }
    case .journal(let form, let parts):
      bytes.append(2)
      bytes.append(number: UInt64(form.version))
      bytes.append(number: UInt64(form.reducerVersion))
      bytes.append(text: form.coding)
      bytes.append(number: UInt64(parts.count))
      for part in parts { bytes.append(text: part) }
    case .actions(let actions):
      bytes = LogEntry.actions(actions.count) { index in actions[index] }
    }
    return bytes
  }

  /// Returns the record of an entry with actions.
  static func actions<Bytes: Collection<UInt8>, Failure: Error>(
    _ count: Int,
    _ action: (Int) throws(Failure) -> Bytes
  ) throws(Failure) -> [UInt8] {
    var bytes: [UInt8] = []
    for index in 0..<count {
      let action = try action(index)
      if index == 0 {
        // An estimate, as if all actions were as long as the first one.
        bytes.reserveCapacity(count * (action.count + 2) + 8)
        bytes.append(3)
        bytes.append(number: UInt64(count))
      }
      bytes.append(field: action)
    }
    return bytes
  }

  /// Reads the entry of a record; nil if the bytes aren't an entry of this version.
  package init?(readingFrom bytes: ArraySlice<UInt8>) {
    var reader = RecordReader(bytes)
    guard let entry = try? LogEntry(from: &reader), reader.isAtEnd else { return nil }
    self = entry
  }

  private init(from reader: inout RecordReader) throws(RecordReader.Malformed) {
    switch try reader.byte() {
    case 1:
      var changes: [PartChange] = []
      for _ in 0..<(try reader.number()) { changes.append(try reader.change()) }
      self = .parts(changes)
    case 2:
      let (version, reducerVersion) = (try reader.count(), try reader.count())
      let form = JournalForm(version: version, reducerVersion: reducerVersion, coding: try reader.text())
      var parts: [String] = []
      for _ in 0..<(try reader.number()) { parts.append(try reader.text()) }
      self = .journal(form, parts: parts)
    case 3:
      // Most steps have one action.
      let count = try reader.number()
      // Steps without actions are never written.
      guard count > 0 else { throw RecordReader.Malformed() }
      guard count > 1 else {
        self = .actions([try reader.field()])
        return
      }
      var actions: [ArraySlice<UInt8>] = []
      for _ in 0..<count { actions.append(try reader.field()) }
      self = .actions(actions)
    default: throw RecordReader.Malformed()
    }
  }
}
