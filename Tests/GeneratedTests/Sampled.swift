import Arbor
import ArborDevTools

/// Types whose values are written as Swift.
enum Sampled {
  struct Options: OptionSet, Hashable, Sendable {
    let rawValue: Int
  }

  struct Box<Content: Hashable & Sendable>: Hashable, Sendable {
    var content: Content

    struct Inner: Hashable, Sendable {
      var text = ""
    }
  }

  struct Stamp: Equatable, Sendable {
    @Stamped var items: [Int] = []
    var `default` = Choice.first

    static func == (left: Stamp, right: Stamp) -> Bool {
      left.items == right.items && left.default == right.default
    }
  }

  enum Choice: Int, Hashable, Sendable, CustomStringConvertible {
    case first = 1
    case second

    var description: String { "the \(rawValue)th" }
  }

  enum Refusal: Error, Hashable, Sendable {
    case offline
    case code(Int)
  }

  enum Keyword: Hashable, Sendable {
    indirect case `self`(Keyword)

    case `init`
    case `default`
    case `in`(for: Int, Bool)
    case `two words`
  }

  struct Money: Hashable, Sendable, SwiftSourceConvertible {
    private let cents: Int

    init(cents: Int) {
      self.cents = cents
    }

    var swiftSource: String { "Sampled.Money(cents: \(cents))" }
  }

  struct Wrong: Equatable, Sendable {
    var error: any Error & Sendable

    static func == (left: Wrong, right: Wrong) -> Bool { "\(left.error)" == "\(right.error)" }
  }

  struct Empty: Hashable, Sendable {}
}
