import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Redaction")
struct RedactionTests {
  private static let secret = "s3cr3t"

  @Test func `values of a confidential type are in no tree and no text, in any container`() throws {
    let rules = RedactionRules<Account, AccountAction>()
    let account = Account()
    let encoded = JSONText(of: try rules.encoding(account)).text
    #expect(!encoded.contains(Self.secret))
    #expect(encoded.contains(#""token":{"$arbor":"redacted"},"past":[{"$arbor":"redacted"}]"#))
    #expect(encoded.contains(#""name":"Ann""#))
    let reflected = JSONText(of: rules.reflecting(account)).text
    #expect(!reflected.contains(Self.secret))
    #expect(reflected.contains(#""name":"Ann""#))
    for action in [
      AccountAction.signIn(Token()), .both(.signIn(Token()), 1), .keep(Box(token: Token())), .any(Token()),
    ] {
      let text = rules.text(of: action)
      #expect(!text.contains(Self.secret))
      #expect(text.contains("‹redacted›"), "\(text)")
      #expect(!JSONText(of: rules.reflecting(action)).text.contains(Self.secret))
    }
    #expect(rules.text(of: AccountAction.both(.clear, 1)) == "both(.clear, 1)")
  }

  @Test func `a value that contains a hidden confidential one is not described`() throws {
    let rules = RedactionRules<Account, AccountAction>()
    let values: [Any] = [
      Token()...Token(), Token()..<Token(text: "t"), AnyHashable(Token()), [AnyHashable(Token()): 1], [Token(): 1],
      Set([Token()]), [1: Token()], Token() as Token? as Any, [Token()][...], ContiguousArray([Token()]),
      KeyValuePairs(dictionaryLiteral: ("k", Token())), repeatElement(Token(), count: 2), CollectionOfOne(Token()),
      Result<Token, any Error>.success(Token()), (1, Token()), ["k": ["k": [Token()]]], AnySequence([Token()]),
      [Token()].lazy.map { $0 }, Stamped(wrappedValue: Token()), Optional.some(Optional.some(Token())) as Any,
      [Token()].makeIterator(), Box(token: Token()),
    ]
    for value in values {
      #expect(!rules.text(of: value).contains(Self.secret), "\(type(of: value)): \(rules.text(of: value))")
      let tree = JSONText(of: rules.reflecting(value)).text
      #expect(!tree.contains(Self.secret), "\(type(of: value)): \(tree)")
    }
    let encodable: [any Encodable] = [
      Token()...Token(text: "s3cr3t2"), [Token(): 1], ["k": [Token()]], Set([Token()]), Token(),
      [Token(), nil] as [Token?],
      Stamped(wrappedValue: Token()), ContiguousArray([Token()]), [1: Token()], [CodingToken(): 2],
    ]
    let both = RedactionRules<Account, AccountAction>()
    for value in encodable {
      let tree = JSONText(of: try both.encoding(value)).text
      #expect(!tree.contains(Self.secret), "\(type(of: value)): \(tree)")
    }
  }

  @Test func `a description that might show a confidential part of a superclass is not used`() {
    class Holder: CustomStringConvertible {
      let token = Token()
      var description: String { "\(token)" }
    }
    final class Guest: Holder {}
    #expect(!Confidentiality.description(of: Guest()).contains(Self.secret))
    #expect(!RedactionRules<Int, Int>().text(of: [Guest()]).contains(Self.secret))
  }

  @Test func `subclasses of a confidential class are confidential, too`() throws {
    class Parent: Encodable, Confidential { let id = 1 }
    final class Child: Parent {}
    let rules = RedactionRules<Int, Int>()
    #expect(JSONText(of: try rules.encoding([Child()])).text == #"[{"$arbor":"redacted"}]"#)
    #expect(JSONText(of: try rules.encoding([Key()])).text == #"[{"$arbor":"redacted"}]"#)
    #expect(rules.text(of: [Key()]) == "[‹redacted›]")
  }

  @Test func `values in the root's state are replaced, also optional ones`() throws {
    let rules = RedactionRules<Account, AccountAction>([
      .value(\.name, replacedBy: "somebody"), .value(\.spare, replacedBy: nil),
    ])
    var account = Account()
    account.spare = Token()
    #expect(rules.redacted(state: account).name == "somebody")
    #expect(rules.redacted(state: account).spare == nil)
    #expect(account.name == "Ann")
  }

  @Test func `rules change actions one after the other, and texts are made from the result`() {
    let rules = RedactionRules<Account, AccountAction>([
      .action { if case .signIn = $0 { $0 = .both(.clear, 1) } },
      .action { if case .both(let action, let number) = $0 { $0 = .both(action, number + 1) } },
    ])
    let action = rules.redacted(action: .signIn(Token()))
    #expect(rules.text(of: action) == "both(.clear, 2)")
  }

  @Test func `a text is one line of at most 500 characters`() {
    let rules = RedactionRules<Int, Int>()
    for text in Hostile.texts {
      let line = rules.text(of: [text])
      #expect(line.count <= 500)
      #expect(Hostile.isOneLine(line))
    }
    #expect(rules.text(of: Array(0..<1000)).hasSuffix("…"))
  }
}

private protocol SecretKey: Confidential {}

private struct Key: SecretKey, Codable {
  var text = "s3cr3t"
}

private struct Token: Codable, Hashable, Comparable, Confidential, CustomStringConvertible {
  var text = "s3cr3t"

  var description: String { "Token(\(text))" }

  static func < (left: Token, right: Token) -> Bool { left.text < right.text }
}

private struct CodingToken: Codable, Hashable, CodingKeyRepresentable, Confidential {
  var codingKey: any CodingKey { AnyKey("s3cr3t") }

  init() {}

  init?(codingKey: some CodingKey) {}
}

private struct Box: Codable {
  var token: Token
}

private struct Account: Codable {
  var name = "Ann"
  var token = Token()
  var past = [Token()]
  var spare: Token?
  var byToken = [Token(): 1]
  var byName = ["a": Token()]
  var stamped = Stamped(wrappedValue: Token())
  var ranges = [Token()...Token()]
}

private enum AccountAction {
  indirect case both(AccountAction, Int)
  case signIn(Token)
  case keep(Box)
  case any(Any)
  case clear
}
