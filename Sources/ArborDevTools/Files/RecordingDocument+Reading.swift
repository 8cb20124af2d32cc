internal import Arbor
internal import Foundation

extension RecordingDocument.Header {
  /// Reads the beginning of a recording, up to its entries.
  init(from json: inout JSONReader) throws(RecordingFileError) {
    var members = RecordedObject()
    var first = 0
    do {
      guard try json.takeIfNext("{") else { throw RecordingFileError.notARecording("it is not a JSON object") }
      first = json.offset
      while true {
        let key = try json.key()
        guard key != "entries" else { break }
        members[key] = try json.value()
        // Nobody knows what comes next in another format, or a newer version.
        if key == "format" || key == "version" { try Self.check(members) }
        try json.take(",")
      }
      guard members["format"] != nil, members["version"] != nil else {
        throw RecordingFileError.notARecording("it does not say so before its entries")
      }
      try json.take("[")
    } catch let error as RecordingFileError {
      throw error
    } catch let error as JSONReadingError {
      guard members["format"] != nil else { throw .notARecording(error.description) }
      throw .damaged(byte: error.offset, entry: nil, error.description)
    } catch {
      throw .system("\(error)")
    }
    do { try self.init(RecordingMembers(members, "the header")) } catch {
      throw .damaged(byte: first, entry: nil, error.description)
    }
  }

  private static func check(_ members: RecordedObject) throws(RecordingFileError) {
    if let format = members["format"], format != .string(RecordingDocument.format) {
      throw .notARecording("its format is another one")
    }
    // Something else may have a version too.
    guard members["format"] != nil, let version = members["version"] else { return }
    guard case .integer(let version) = version, version > 0 else { throw .notARecording("its version is no number") }
    guard version <= RecordingDocument.version else {
      throw .newerVersion(found: Int(clamping: version), supported: RecordingDocument.version)
    }
  }

  private init(_ members: RecordingMembers) throws(RecordingMemberError) {
    let text = try members.text("began")
    guard let began = try? Date(text, strategy: .iso8601) else {
      throw RecordingMemberError(text: "\(text.debugDescription) is not a time")
    }
    self.init(
      name: try members.text("name"),
      state: try members.text("state"),
      action: try members.text("action"),
      began: began,
      encoding: try members.choice("encoding"),
      base: try members.object("base")
    )
  }
}

extension RecordingDocument.Entry {
  init(_ value: RecordedValue) throws(RecordingMemberError) {
    let members = try RecordingMembers(value, "the entry")
    try members.checkNumbersOfCause()
    self.init(
      number: try members.integer("number"),
      store: try members.integer("store"),
      name: try members.text("name"),
      text: try members.text("text"),
      // An action may be null.
      action: members.anyValue("action"),
      cause: try ActionCause(of: members),
      outcome: try members.choice("outcome")
    )
    replacement = try members.textIfPresent("replacement")
    isSkipped = try members.flag("skipped")
    isBarrier = try members.flag("barrier")
    isBatch = try members.flag("batch")
    times = try members.list("times").map { (times) throws(RecordingMemberError) in try ActionTimes(times) }
    for change in try members.list("changes") ?? [] { changes.append(try RecordingChange(change)) }
    made = try members.integers("made")
    gone = try members.integers("gone")
  }
}

extension ActionTimes {
  fileprivate init(_ values: [RecordedValue]) throws(RecordingMemberError) {
    let times = values.compactMap(\.double).map { Duration(microseconds: $0) }
    guard times.count == values.count, times.count == 6 else {
      throw RecordingMemberError(text: "the times are not six numbers")
    }
    self.init(
      accepted: times[0],
      waited: times[1],
      intercepted: times[2],
      reduced: times[3],
      performed: times[4],
      delivered: times[5]
    )
  }
}

extension ActionCause {
  fileprivate init(of members: RecordingMembers) throws(RecordingMemberError) {
    let cause = RecordingMembers(try members.object("cause"), "the cause")
    self.init(
      try cause.choice("kind"),
      action: try cause.integerIfPresent("action").flatMap(UInt64.init(exactly:)),
      task: try cause.integerIfPresent("task").flatMap(UInt64.init(exactly:))
    )
  }
}

extension RecordingMembers {
  /// Refuses a cause that names an action or a task by a number that none can have.
  fileprivate func checkNumbersOfCause() throws(RecordingMemberError) {
    let cause = RecordingMembers(try object("cause"), "the cause")
    for key in ["action", "task"] {
      guard RecordingDocument.numbers ~= (try cause.integerIfPresent(key) ?? 0) else { throw .numberOutOfRange }
    }
  }
}

extension RecordingChange {
  fileprivate init(_ value: RecordedValue) throws(RecordingMemberError) {
    guard case .array(let parts) = value, 1...2 ~= parts.count, case .array(let steps) = parts[0], !steps.isEmpty else {
      throw RecordingMemberError(text: "a change is not a path with a value or without")
    }
    var path: [Step] = []
    for step in steps {
      switch step {
      case .string(let key): path.append(.key(key))
      case .integer(let index) where index >= 0: path.append(.index(Int(index)))
      default: throw RecordingMemberError(text: "the path of a change has something else than keys and indexes")
      }
    }
    self.init(path, parts.count == 2 ? parts[1] : nil)
  }
}

extension RecordingDocument.Trailer {
  init(_ object: RecordedObject) throws(RecordingMemberError) {
    let members = RecordingMembers(object, "the end")
    self.init(
      stores: [],
      metrics: members.value("metrics"),
      position: try members.integer("position"),
      omitted: try members.integerIfPresent("omitted") ?? 0
    )
    for store in try members.list("stores") ?? [] { stores.append(try RecordingDocument.Store(store)) }
    for task in try members.list("tasks") ?? [] { tasks.append(try RecordingDocument.Task(task)) }
  }
}

extension RecordingDocument.Store {
  fileprivate init(_ value: RecordedValue) throws(RecordingMemberError) {
    let members = try RecordingMembers(value, "a store")
    self.init(
      id: try members.integer("id"),
      parent: try members.integerIfPresent("parent"),
      state: try members.text("state"),
      made: try members.number("made"),
      gone: try members.numberIfPresent("gone")
    )
  }
}

extension RecordingDocument.Task {
  fileprivate init(_ value: RecordedValue) throws(RecordingMemberError) {
    let members = try RecordingMembers(value, "a task")
    self.init(
      id: try members.integer("id"),
      store: try members.integer("store"),
      key: try members.textIfPresent("key"),
      cause: try ActionCause(of: members),
      began: try members.number("began")
    )
    ended = try members.numberIfPresent("ended")
    if members.value("outcome") != nil { outcome = try members.choice("outcome") }
    error = try members.textIfPresent("error")
  }
}
