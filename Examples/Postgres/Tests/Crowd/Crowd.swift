import Foundation

/// A large version of the simulation, in which many processes work on one board.
///
/// Each second, one is killed and started again, while the server is restarted. At the end, all have the same state, and the
/// log contains each action once.
///
/// ```
/// crowd LOG [--members 100] [--seconds 60] [--server SCRIPT]
/// crowd measure LOG
/// ```
@main
struct Crowd {
  static let usage = """
    usage: crowd LOG [--members NUMBER] [--seconds NUMBER] [--server SCRIPT]
           crowd measure LOG
      LOG       postgres://… or the path of a folder
      --server  a script that restarts the server when it is called with restart-immediate, which happens twice
    """

  static func main() async {
    var arguments = Array(CommandLine.arguments.dropFirst())
    do {
      if arguments.first == "member" {
        arguments.removeFirst()
        return try await Member(arguments).run()
      }
      if arguments.first == "measure", arguments.count == 2 { return try await Measurement(of: arguments[1]).run() }
      guard let log = arguments.first, !log.hasPrefix("-") else { throw Failure(usage) }
      arguments.removeFirst()
      var rehearsal = Rehearsal(log: log)
      while let option = arguments.first {
        guard arguments.count > 1 else { throw Failure(usage) }
        let value = arguments[1]
        arguments.removeFirst(2)
        switch (option, Int(value)) {
        case ("--members", let number?): rehearsal.memberCount = number
        case ("--seconds", let number?): rehearsal.seconds = number
        case ("--server", _): rehearsal.server = value
        default: throw Failure(usage)
        }
      }
      try await rehearsal.run()
    } catch {
      FileHandle.standardError.write(Data("crowd: \(error)\n".utf8))
      exit(1)
    }
  }
}

/// A reason to give up, as a sentence.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
