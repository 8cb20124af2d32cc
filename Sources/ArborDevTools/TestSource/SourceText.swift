/// A Swift expression before it is broken into lines.
struct SourceText {
  enum Kind {
    /// Text that stays on one line.
    case plain

    /// A string literal, possibly with several lines, and the text after it. The opening is the string.
    case string

    /// Items between brackets.
    case list

    /// Items between brackets. If each item has its own line, the last one is followed by a comma.
    case collection

    /// Statements between braces. If there are several, each has its own line.
    case block
  }

  /// An item of a list, or a statement.
  struct Item {
    /// The text before the item: `id: `, a key, or `$0.count = `.
    var label = ""
    var isEntry = false
    let text: SourceText
  }

  let kind: Kind
  var opening: String
  var items: [Item] = []
  var closing = ""

  static func plain(_ text: String) -> SourceText { SourceText(kind: .plain, opening: text) }

  static func string(_ value: String, suffix: String = "") -> SourceText {
    SourceText(kind: .string, opening: value, closing: suffix)
  }

  static func list(opening: String, _ items: [Item], closing: String, isCollection: Bool = false) -> SourceText {
    SourceText(kind: isCollection ? .collection : .list, opening: opening, items: items, closing: closing)
  }

  static func block(opening: String, _ statements: [Item], closing: String) -> SourceText {
    SourceText(kind: .block, opening: opening, items: statements, closing: closing)
  }

  /// The expression on one line.
  var flat: String {
    let items = items.map { $0.label + $0.text.flat }
    return switch kind {
    case .plain: opening + closing
    case .string: StringLiteral.line(opening) + closing
    case .list, .collection: opening + items.joined(separator: ", ") + closing
    case .block: "\(opening) \(items.joined(separator: "; ")) \(closing)"
    }
  }

  /// `true` if the expression has a closure of several statements, which `swift format` never writes on one line.
  var needsLines: Bool { kind == .block && items.count > 1 || items.contains(where: \.text.needsLines) }

  /// The beginning of the expression when it is broken into lines.
  var start: String { kind == .string ? "\"\"\"" : opening }

  /// The number of commas that `swift format` includes in a single line's length, although it only writes them on several
  /// lines.
  var commas: Int { items.reduce(kind == .collection && items.count > 1 ? 1 : 0) { $0 + $1.text.commas } }

  /// Returns the expression followed by a text.
  func followed(by end: String) -> SourceText {
    var text = self
    text.closing += end
    return text
  }

  /// Returns the expression of a value that statements make from another one.
  ///
  /// - Parameters:
  ///   - name: The name of the value in the statements.
  ///   - type: The type of the value; nil if the beginning determines it.
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

/// A call that changes a value: its source text and the change itself.
struct WrittenCall<Value: Equatable> {
  var text: SourceText
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

  /// Returns the shortest sequence of calls that turns one value into another; nil if there is none.
  ///
  /// - Parameter count: The maximum number of calls.
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
    for var call in calls {
      call.text.opening = "\(place.target).\(call.text.opening)"
      self.call(call.text)
    }
  }
}
