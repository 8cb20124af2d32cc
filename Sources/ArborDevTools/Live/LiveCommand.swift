/// A command from a browser.
enum LiveCommand {
  /// Shows a position. It counts from behind the omitted entries; nil for those that are not kept any more.
  case travel(position: Int, omitted: Int?)
  case step(by: Int)
  case toggle(Int)
  case toggleEpoch(Int)
  case resume
  case continueFromHere
  case dispatch(RecordedValue)

  /// Reads a command from JSON in UTF-8.
  init(json: some Sequence<UInt8>) throws(LiveCommandError) {
    let value: RecordedValue
    do throws(JSONReadingError) {
      var reader = JSONReader(Array(json))
      value = try reader.value()
      try reader.end()
    } catch {
      throw .notJSON(error.description)
    }
    do throws(RecordingMemberError) {
      try self.init(RecordingMembers(value, "the JSON"))
    } catch {
      throw .notACommand(error.description)
    }
  }

  private init(_ members: RecordingMembers) throws(RecordingMemberError) {
    let name = try members.text("command")
    switch name {
    case "travel":
      self = .travel(position: try members.integer("position"), omitted: try members.integerIfPresent("omitted"))
    case "step": self = .step(by: try members.integer("by"))
    case "toggle": self = .toggle(try members.integer("number"))
    case "toggleEpoch": self = .toggleEpoch(try members.integer("number"))
    case "resume": self = .resume
    case "continueFromHere": self = .continueFromHere
    case "dispatch":
      guard let action = members.value("action") else { throw RecordingMemberError(text: "its action is missing") }
      self = .dispatch(action)
    default: throw RecordingMemberError(text: "there is no command \(name.prefix(40).debugDescription)")
    }
  }
}
