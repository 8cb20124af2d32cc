import ArborRequests

/// The requests of the simulation. Each has a policy that no other has.
enum SimulatedRequest: String, CaseIterable, Sendable {
  case album
  case list
  case status
  case news

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
    case .news: Policy(freshFor: nil, keptFor: 5, retries: .max, isStream: true)
    }
  }

  /// `true` if the server stops working on a canceled call. Otherwise its answer comes late, and no task waits for it.
  var heedsCancellation: Bool { self == .status || self == .news }

  /// The tags of an answer.
  func tags(_ argument: Int, _ value: Int) -> [RequestTag] {
    switch self {
    case .album: [RequestTag("album", argument)]
    case .list: [RequestTag("list"), RequestTag("album", value % 4 + 1)]
    case .status: []
    case .news: [RequestTag("news")]
    }
  }

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

/// The input of a change: it adds a number to one album, or sets several entries to a number.
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

  /// The entries that it changes at once.
  var entries: [EntryID] {
    (isAddition ? [.album] : [.album, .list, .news]).map { EntryID(request: $0, argument: argument) }
  }

  var retries: Int { isAddition ? 0 : 1 }

  func apply(to value: inout Int) {
    value = isAddition ? value + amount : amount
  }
}
