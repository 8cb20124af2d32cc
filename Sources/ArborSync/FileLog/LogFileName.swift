internal import Foundation

/// The name of a file in the folder of a log. Short contents are in the name itself, so they change atomically.
enum LogFileName: Hashable {
  /// The identity of the log, and the version of its reducer. The file is empty.
  case identity(UUID, reducerVersion: Int)

  /// The actions from a position on.
  case actions(first: Int)

  /// The snapshot at a position.
  case snapshot(Int)

  /// A file that is still being written. It is useless if its process has ended.
  case unfinished

  /// The last position that a client has read, and the second at which it was noted. The file is empty.
  case reader(UInt64, position: Int, second: Int)

  /// Messages. A file with a greater number replaces the earlier ones.
  case messages(Int)

  /// Reads a name; nil if it is the name of another kind of file.
  init?(_ text: String) {
    let fields = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    switch (fields.last, fields.count) {
    case ("log", 3):
      guard let id = UUID(uuidString: fields[0]), let version = Int(fields[1]) else { return nil }
      self = .identity(id, reducerVersion: version)
    case ("actions", 2):
      guard let first = Int(fields[0]), first > 0 else { return nil }
      self = .actions(first: first)
    case ("snapshot", 2):
      guard let position = Int(fields[0]), position >= 0 else { return nil }
      self = .snapshot(position)
    case ("unfinished", 1): self = .unfinished
    case ("reader", 4):
      guard let incarnation = UInt64(fields[0], radix: 16), let position = Int(fields[1]), let second = Int(fields[2])
      else { return nil }
      self = .reader(incarnation, position: position, second: second)
    case ("messages", 2):
      guard let number = Int(fields[0]) else { return nil }
      self = .messages(number)
    default: return nil
    }
    // The log never writes another spelling of the same name, so the file isn't its own.
    guard self.text == text else { return nil }
  }

  var text: String {
    switch self {
    case .identity(let id, let version): "\(id.uuidString).\(version).log"
    case .actions(let first): "\(first).actions"
    case .snapshot(let position): "\(position).snapshot"
    case .unfinished: "unfinished"
    case .reader(let incarnation, let position, let second):
      "\(String(incarnation, radix: 16)).\(position).\(second).reader"
    case .messages(let number): "\(number).messages"
    }
  }
}
