internal import Arbor

/// A command from a browser.
enum LiveCommand {
  /// Shows a position. It counts from the end of the first `omitted` entries; if that is nil, from the oldest entry still
  /// kept.
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
      guard case .object(let object) = value else { throw RecordingMemberError(text: "the JSON is not an object") }
      try self.init(MemberReader(object, "the JSON"))
    } catch {
      throw .notACommand(error.description)
    }
  }

  private init(_ members: MemberReader) throws(RecordingMemberError) {
    let name = try members.value("command", as: String.self)
    switch name {
    case "travel": self = .travel(position: try members.value("position"), omitted: try members.value("omitted"))
    case "step": self = .step(by: try members.value("by"))
    case "toggle": self = .toggle(try members.value("number"))
    case "toggleEpoch": self = .toggleEpoch(try members.value("number"))
    case "resume": self = .resume
    case "continueFromHere": self = .continueFromHere
    case "dispatch": self = .dispatch(try members.value("action"))
    default: throw RecordingMemberError(text: "there is no command \(name.prefix(40).debugDescription)")
    }
  }
}

/// The reason why a ``LiveRecording`` refuses a command. A command that throws hasn't changed anything.
public enum LiveCommandError: Error, Equatable, Sendable {
  /// The bytes aren't JSON.
  case notJSON(String)

  /// The JSON isn't a command, or the command is incomplete.
  case notACommand(String)

  /// The recorder refuses the command.
  case refused(RecordingError)

  /// The program doesn't allow dispatching, or the action's type isn't `Decodable`.
  case cannotDispatch(String)

  /// The JSON isn't one of the program's actions. The description explains how enums are written.
  case notAnAction(String)
}

extension LiveCommandError: CustomStringConvertible {
  /// One sentence that says what was refused and why.
  public var description: String {
    switch self {
    case .notJSON(let reason): "The command is not JSON: \(reason)."
    case .notACommand(let reason): "This is not a command: \(reason)."
    case .refused(let error): "The program cannot do that: \(error)."
    case .cannotDispatch(let reason): "No action can be dispatched: \(reason)."
    case .notAnAction(let reason):
      "This is not an action of the program: \(reason). Codable writes .add(\"…\") as {\"add\":{\"_0\":\"…\"}}."
    }
  }
}

extension LiveRecording {
  /// Performs a command from a browser.
  ///
  /// - Commands are JSON objects: `{"command":"travel","position":n}`, `{"command":"step","by":-1}`,
  ///   `{"command":"toggle","number":12}`, `{"command":"toggleEpoch","number":12}`, `{"command":"resume"}`,
  ///   `{"command":"continueFromHere"}` and `{"command":"dispatch","action":…}`.
  /// - The position of `travel` counts from the oldest entry that the program keeps. With `"omitted":m`, it counts from
  ///   the end of the first `m` entries of all time, so it stays valid when the program forgets entries meanwhile.
  /// - Like the recorder, it waits for everything the store accepted before, except for `dispatch`.
  /// - Parameter command: The JSON in UTF-8.
  /// - Throws: ``LiveCommandError``; then nothing has happened.
  public func perform(_ command: some Sequence<UInt8>) throws(LiveCommandError) {
    let command = try LiveCommand(json: command)
    if case .dispatch(let action) = command { return try dispatch(action) }
    do throws(RecordingError) {
      switch command {
      case .travel(let position, nil): try recorder.travel(to: position)
      case .travel(let position, let omitted?):
        let (place, isTooFar) = position.addingReportingOverflow(omitted)
        try recorder.travel(toPlace: isTooFar ? (position < 0 ? .min : .max) : place)
      case .step(let distance): try recorder.step(by: distance)
      case .toggle(let number): try recorder.toggle(number)
      case .toggleEpoch(let number): try recorder.toggleEpoch(of: number)
      case .resume: recorder.resume()
      case .continueFromHere: recorder.continueFromHere()
      case .dispatch: break
      }
    } catch {
      throw .refused(error)
    }
  }

  private func dispatch(_ value: RecordedValue) throws(LiveCommandError) {
    guard let dispatch else { throw .cannotDispatch("the program does not allow it") }
    guard let type = Action.self as? any Decodable.Type else {
      throw .cannotDispatch("\(Action.self) is not Decodable")
    }
    let action: Action
    do {
      action = try value.decoded(as: type) as! Action
    } catch {
      throw .notAnAction(LiveRecording.sentence(about: error))
    }
    dispatch(action)
  }

  /// Returns the reason for a decoding error, and where it occurred.
  private static func sentence(about error: any Error) -> String {
    let context = DecodingError.context(of: error)
    let text =
      context.debugDescription.hasSuffix(".") ? context.debugDescription.dropLast() : context.debugDescription[...]
    guard !context.codingPath.isEmpty else { return String(text) }
    return "\(text), at \(context.codingPath.map(\.stringValue).joined(separator: "."))"
  }
}
