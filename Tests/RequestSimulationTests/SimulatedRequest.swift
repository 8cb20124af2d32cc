import ArborRequests

/// The requests of the simulation. Each has a policy that no other has.
enum SimulatedRequest: String, CaseIterable, Sendable {
  case album

  /// The ids of some albums. Its answers provide these albums.
  case list

  /// An answer that is fetched at an interval.
  case status

  /// A stream.
  case news

  /// A list with the pages -3 to 3, three of which are kept.
  case pages

  struct Policy: Sendable {
    var freshFor: Int?
    var keptFor: Int
    var retries = 0
    var interval: Int?
    var timeout: Int?
    var isStream = false
  }

  var policy: Policy {
    switch self {
    case .album: Policy(freshFor: 10, keptFor: 15)
    case .list: Policy(freshFor: 0, keptFor: 3, retries: 1)
    case .status: Policy(freshFor: nil, keptFor: 20, interval: 5, timeout: 3)
    case .news: Policy(freshFor: nil, keptFor: 5, retries: 1, isStream: true)
    case .pages: Policy(freshFor: 20, keptFor: 5, retries: 1)
    }
  }

  /// `true` if the server stops working on a canceled call. Otherwise its answer comes late, and no task waits for it.
  var heedsCancellation: Bool { self != .album && self != .list }

  /// The tags of a call's answer.
  func tags(_ argument: Int, _ number: Int) -> [RequestTag] {
    switch self {
    case .album: [RequestTag("album", argument)]
    case .list: [RequestTag("list"), RequestTag("album", number % 4 + 1)]
    case .status: []
    case .news: [RequestTag("news")]
    case .pages: [RequestTag("album", number % 4 + 1)]
    }
  }

  /// The ids of the albums that a list has after the server has answered a number.
  static func albums(_ number: Int) -> [Int] { Set([number % 4 + 1, number / 4 % 4 + 1]).sorted() }

  /// The cursor next to another one; nil at the ends.
  static func cursor(after cursor: Int) -> Int? { cursor < 3 ? cursor + 1 : nil }
  static func cursor(before cursor: Int) -> Int? { cursor > -3 ? cursor - 1 : nil }

  static let maxPages = 3

  /// The delay before each repetition of a request or a change, in seconds.
  static let backoff = 2

  static let tags =
    [RequestTag("album"), RequestTag("list"), RequestTag("news")] + (1...4).map { RequestTag("album", $0) }
}

/// The identity of an entry.
struct EntryID: Hashable, Comparable, CustomStringConvertible, Sendable {
  let request: SimulatedRequest
  let argument: Int

  var description: String { "\(request)(\(argument))" }

  static func < (first: EntryID, second: EntryID) -> Bool {
    (first.request.rawValue, first.argument) < (second.request.rawValue, second.argument)
  }
}

struct SimulatedAlbum: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  var number: Int
}

struct SimulatedPage: Codable, Equatable, Sendable {
  let cursor: Int
  var number: Int
}

/// The input of a change: it adds a number to one album, or sets several entries to a number, in some cases
/// those of all albums.
struct SimulatedChange: Codable, Equatable, Sendable, CustomStringConvertible {
  /// A number that no other change of the world has.
  let number: Int
  let isAddition: Bool
  let argument: Int
  let amount: Int

  var description: String { "change \(number): \(isAddition ? "add" : "set") \(argument), \(amount)" }

  /// The changes with equal tags are sent one after the other.
  var order: RequestTag? { isAddition ? RequestTag("album", argument) : nil }

  var invalidates: [RequestTag] {
    isAddition ? [RequestTag("album", argument)] : [RequestTag("album"), RequestTag("news")]
  }

  /// `true` if it changes all albums.
  var isForAll: Bool { !isAddition && amount.isMultiple(of: 3) }

  /// Returns `true` if it changes an entry at once.
  func patches(_ id: EntryID) -> Bool {
    switch id.request {
    case .album: id.argument == argument || isForAll
    case .list, .news, .pages: !isAddition && id.argument == argument
    case .status: false
    }
  }

  var retries: Int { isAddition ? 0 : 1 }

  func applied(to number: Int) -> Int { isAddition ? number + amount : amount }

  /// The albums of a changed list.
  var albums: [Int] { [amount % 4 + 1] }
}
