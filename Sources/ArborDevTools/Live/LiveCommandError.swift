/// The reason why a ``LiveRecording`` refuses a command. A command that throws has changed nothing.
public enum LiveCommandError: Error, Equatable, Sendable {
  /// The bytes are no JSON.
  case notJSON(String)

  /// The JSON is no command, or one that lacks something.
  case notACommand(String)

  /// The recorder refuses the command.
  case refused(RecordingError)

  /// No action may be dispatched, or the action's type is not `Decodable`.
  case cannotDispatch(String)

  /// The JSON of an action is none of the program's actions. The sentence about it says how enums are written.
  case notAnAction(String)
}

extension LiveCommandError: CustomStringConvertible {
  /// One sentence that says what was refused, and why.
  public var description: String {
    switch self {
    case .notJSON(let reason): "The command is no JSON: \(reason)."
    case .notACommand(let reason): "That is no command: \(reason)."
    case .refused(let error): "The program cannot do that: \(error)."
    case .cannotDispatch(let reason): "No action can be dispatched: \(reason)."
    case .notAnAction(let reason):
      "That is no action of the program: \(reason). As Codable writes them, .add(\"…\") is {\"add\":{\"_0\":\"…\"}}."
    }
  }
}
