/// An expression of Swift, before it is divided into lines.
indirect enum SourceText {
  /// Something that stays on one line.
  case plain(String)

  /// A string literal, which may have several lines, and what follows it.
  case string(String, suffix: String = "")

  /// Items between brackets. A collection's last item has a comma behind it where each has its own line.
  case list(opening: String, [Item], closing: String, isCollection: Bool = false)

  /// Statements between braces, which have a line each if there are several.
  case block(opening: String, [Item], closing: String)

  /// An item of a list, or a statement.
  struct Item {
    /// The text before the item: `id: `, a key, or `$0.count = `.
    var label = ""
    var isEntry = false
    let text: SourceText
  }

  /// The expression on one line.
  var flat: String {
    switch self {
    case .plain(let text): text
    case .string(let value, let suffix): StringLiteral.line(value) + suffix
    case .list(let opening, let items, let closing, _):
      opening + items.map { $0.label + $0.text.flat }.joined(separator: ", ") + closing
    case .block(let opening, let statements, let closing):
      "\(opening) \(statements.map { $0.label + $0.text.flat }.joined(separator: "; ")) \(closing)"
    }
  }

  /// `true` if the expression has a closure of several statements, which `swift format` never writes on one line.
  var needsLines: Bool {
    switch self {
    case .plain, .string: false
    case .list(_, let items, _, _): items.contains(where: \.text.needsLines)
    case .block(_, let statements, _): statements.count > 1 || statements.contains(where: \.text.needsLines)
    }
  }

  /// The beginning of the expression where it is divided into lines.
  var start: String {
    switch self {
    case .plain(let text): text
    case .string: "\"\"\""
    case .list(let opening, _, _, _), .block(let opening, _, _): opening
    }
  }

  /// The number of commas that `swift format` counts on one line though it writes them only on several.
  var commas: Int {
    switch self {
    case .plain, .string: 0
    case .list(_, let items, _, let isCollection):
      items.reduce(isCollection && items.count > 1 ? 1 : 0) { $0 + $1.text.commas }
    case .block(_, let statements, _): statements.reduce(0) { $0 + $1.text.commas }
    }
  }

  /// The expression with something behind it.
  func followed(by end: String) -> SourceText {
    switch self {
    case .plain(let text): .plain(text + end)
    case .string(let value, let suffix): .string(value, suffix: suffix + end)
    case .list(let opening, let items, let closing, let isCollection):
      .list(opening: opening, items, closing: closing + end, isCollection: isCollection)
    case .block(let opening, let statements, let closing):
      .block(opening: opening, statements, closing: closing + end)
    }
  }

  /// The expression of a value that statements make of another one.
  ///
  /// - Parameters:
  ///   - name: The name of the value in the statements.
  ///   - type: The type of the value; nil if the beginning says it.
  static func value(
    _ name: String,
    of type: String? = nil,
    from beginning: SourceText,
    _ statements: [Item]
  ) -> SourceText {
    let first = Item(label: "var \(name)\(type.map { ": \($0)" } ?? "") = ", text: beginning)
    return .block(opening: "{", [first] + statements + [Item(text: .plain("return \(name)"))], closing: "}()")
  }
}

/// A call that changes a value: the way it is written, and the change itself.
struct WrittenCall<Value: Equatable> {
  let text: SourceText
  let perform: (inout Value) -> Void

  /// Makes a call with arguments that are written between its parentheses.
  init(_ name: String, _ arguments: [SourceText.Item] = [], perform: @escaping (inout Value) -> Void) {
    text = arguments.isEmpty ? .plain(name + "()") : .list(opening: name + "(", arguments, closing: ")")
    self.perform = perform
  }

  init(text: SourceText, perform: @escaping (inout Value) -> Void) {
    self.text = text
    self.perform = perform
  }

  /// The fewest of some calls, one after the other, that make one value of another one; nil if none do.
  ///
  /// - Parameter count: The greatest number of calls.
  static func fewest(_ calls: [Self], atMost count: Int = 1, making after: Value, of before: Value) -> [Self]? {
    if before == after { return [] }
    for count in 0..<count {
      for call in calls {
        var value = before
        call.perform(&value)
        if let rest = fewest(calls, atMost: count, making: after, of: value) { return [call] + rest }
      }
    }
    return nil
  }
}

extension StateAssignments {
  /// Adds calls of a value's methods.
  mutating func call<Value>(_ calls: [WrittenCall<Value>], at place: LiteralPlace) {
    for call in calls { self.call(call.text.preceded(by: "\(place.target).")) }
  }
}

extension SourceText {
  /// The expression with something before it.
  fileprivate func preceded(by start: String) -> SourceText {
    switch self {
    case .plain(let text): .plain(start + text)
    case .string: .plain(start + flat)
    case .list(let opening, let items, let closing, let isCollection):
      .list(opening: start + opening, items, closing: closing, isCollection: isCollection)
    case .block(let opening, let statements, let closing):
      .block(opening: start + opening, statements, closing: closing)
    }
  }
}
