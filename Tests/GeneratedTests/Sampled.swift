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

  enum Payload: Equatable, Sendable {
    case loose(any Hashable & Sendable)
    case both(any Error & Sendable, Int8)

    static func == (left: Payload, right: Payload) -> Bool { "\(left)" == "\(right)" }
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

  /// A value whose properties have other types than their values.
  struct Loose: Equatable, Sendable {
    var number: any Hashable & Sendable = UInt8(1)
    var label: any Hashable & Sendable = Label.new
    var rest: any Sendable = Phase.Method.cash
    var count = 1

    static func == (left: Loose, right: Loose) -> Bool {
      AnyHashable(left.number) == AnyHashable(right.number) && AnyHashable(left.label) == AnyHashable(right.label)
        && left.rest as? Phase.Method == right.rest as? Phase.Method && left.count == right.count
        && type(of: left.number) == type(of: right.number)
    }
  }

  struct Empty: Hashable, Sendable {}
}
