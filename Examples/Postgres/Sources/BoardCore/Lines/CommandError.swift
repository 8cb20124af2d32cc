/// The reason why a line of the input is not a command, or why it cannot be executed.
package enum CommandError: Error, Equatable, CustomStringConvertible {
  case unknown(String)
  case missing(String, command: String)
  case unexpected(String, command: String)
  case notANumber(String)
  case notATarget(String)

  /// There is no card with this number, or it was removed.
  case noCard(Int)

  /// The change was made, but could not be written to this machine's disk.
  case notKept(String)

  /// Syncing has stopped: nothing is sent or read any more.
  case stopped(String)

  package var description: String {
    switch self {
    case .unknown(let name): "unknown command \"\(name)\"; try help"
    case .missing(let thing, let name): "\(name) needs \(thing)"
    case .unexpected(let word, let name): "unexpected argument \"\(word)\" for \(name)"
    case .notANumber(let word): "\"\(word)\" is not a number"
    case .notATarget(let word): "\"\(word)\" is not todo, doing, done, up or down"
    case .noCard(let number): "there is no card \(number)"
    case .notKept(let reason): "the change could not be written to the disk yet: \(reason)"
    case .stopped(let reason): "sync has stopped: \(reason)"
    }
  }
}
