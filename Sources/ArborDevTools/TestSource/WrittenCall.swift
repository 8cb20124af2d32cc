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
  mutating func call<Value>(_ calls: [WrittenCall<Value>], of target: String) {
    for call in calls { self.call(call.text.preceded(by: "\(target).")) }
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
