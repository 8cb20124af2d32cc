import AlbumServer

/// A command in a line of the input.
struct Command: Equatable {
  enum Form: Equatable {
    case list
    case more
    case open(Album.ID)
    case close
    case favorite(Album.ID, Bool)
    case refresh
    case retry
    case dismiss
    case offline
    case online
    case server(Behavior)
    case log
    case wait
    case help
    case quit
  }

  let form: Form

  /// `true` if the next command is read when the server has answered.
  var isAwaited: Bool {
    switch form {
    case .server, .log, .help: false
    default: !isInBackground
    }
  }

  /// `true` if the line ends with “&”.
  private var isInBackground = false

  /// The output of the `help` command.
  static let overview = """
    list                     shows the loaded albums
    more                     loads the next page
    open ID, close           shows an album
    favorite ID              makes an album a favorite
    unfavorite ID            makes it an ordinary album again
    refresh                  fetches the open album again, or the list
    retry, dismiss           sends the refused changes again, or drops them
    offline, online          ends the connection, and begins it again
    slow MILLISECONDS        lets the server take its time
    fail NUMBER              lets the server fail for the next requests
    drop NUMBER              lets the server carry out the next requests, but not answer them
    reorder                  lets the server answer the next two requests in the other order
    hold                     lets the server answer only after the next of these commands
    normal                   lets the server answer at once
    log                      shows the requests that reached the server since the last time
    wait                     waits for the server
    help                     shows this list
    quit                     ends the program
    With “&” at the end of its line, a command doesn't wait for the server.
    """

  /// Reads a line; nil if it is blank.
  init?(_ line: String) throws(CommandError) {
    var words = line.split(whereSeparator: \.isWhitespace).map(String.init)
    if words.last == "&" {
      words.removeLast()
      isInBackground = true
    }
    guard let name = words.first else { return nil }
    let takesNumber = ["open", "favorite", "unfavorite", "slow", "fail", "drop"].contains(name)
    guard words.count <= (takesNumber ? 2 : 1) else { throw .unexpected(words[takesNumber ? 2 : 1], command: name) }
    if takesNumber, words.count < 2 { throw .missingNumber(command: name) }
    let number = takesNumber ? Int(words[1]) ?? -1 : 0
    guard number >= 0 else { throw .notANumber(words[1]) }

    switch name {
    case "list": form = .list
    case "more": form = .more
    case "open": form = .open(number)
    case "close": form = .close
    case "favorite", "unfavorite": form = .favorite(number, name == "favorite")
    case "refresh": form = .refresh
    case "retry": form = .retry
    case "dismiss": form = .dismiss
    case "offline": form = .offline
    case "online": form = .online
    case "slow": form = .server(.slow(milliseconds: number))
    case "fail": form = .server(.failing(requests: number))
    case "drop": form = .server(.dropping(requests: number))
    case "reorder": form = .server(.reordering)
    case "hold": form = .server(.holding)
    case "normal": form = .server(.normal)
    case "log": form = .log
    case "wait": form = .wait
    case "help": form = .help
    case "quit": form = .quit
    default: throw .unknown(name)
    }
  }
}

/// The reason why a line of the input is not a command, or can't be carried out.
enum CommandError: Error, Equatable, CustomStringConvertible {
  case unknown(String)
  case missingNumber(command: String)
  case unexpected(String, command: String)
  case notANumber(String)
  case notLoaded(Album.ID)

  var description: String {
    switch self {
    case .unknown(let name): "unknown command \"\(name)\"; try help"
    case .missingNumber(let name): "\(name) needs a number"
    case .unexpected(let argument, let name): "unexpected argument \"\(argument)\" for \(name)"
    case .notANumber(let argument): "\"\(argument)\" is not a number"
    case .notLoaded(let id): "album \(id) isn't loaded; try list, more or open \(id)"
    }
  }
}
