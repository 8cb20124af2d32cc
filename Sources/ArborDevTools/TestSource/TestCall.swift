/// A call of a test store in a test.
struct TestCall {
  let function: String

  /// The closure that changes the state; nil if nothing changes.
  let closure: SourceText?

  private let indentation = 4

  init(function: String, closure: SourceText?) {
    self.function = function
    self.closure = closure
  }

  /// Adds the call with an argument, and the closure behind it.
  func add(label: String = "", _ argument: SourceText, to lines: inout SourceLines) {
    let line = "await store.\(function)(\(label)\(argument.flat))"
    if !argument.needsLines, addClosure(after: line, commas: argument.commas, to: &lines) { return }
    lines.add("await store.\(function)(", indentation: indentation)
    lines.add(argument, after: label, indentation: indentation + 2, stringIndentation: label.isEmpty ? 0 : 2)
    _ = addClosure(after: ")", to: &lines)
  }

  /// Adds the call with a predicate; the closure is an argument then, as `swift format` wants it of two.
  func add(predicate: String, to lines: inout SourceLines) {
    guard let closure else {
      return lines.add("await store.\(function)(where: \(predicate))", indentation: indentation)
    }
    lines.add("await store.\(function)(", indentation: indentation)
    lines.add("where: \(predicate),", indentation: indentation + 2)
    lines.add(closure, indentation: indentation + 2)
    lines.add(")", indentation: indentation)
  }

  /// Adds the end of the call with the closure behind it.
  ///
  /// - Returns: `false` if not even the end fits on a line.
  private func addClosure(after end: String, commas: Int = 0, to lines: inout SourceLines) -> Bool {
    let start = closure == nil ? end : end + " {"
    guard SourceLines.fits(start, indentation: indentation, commas: commas) else { return false }
    guard let closure else {
      lines.add(end, indentation: indentation)
      return true
    }
    let line = "\(end) \(closure.flat)"
    if !closure.needsLines, SourceLines.fits(line, indentation: indentation, commas: commas + closure.commas) {
      lines.add(line, indentation: indentation)
    } else {
      lines.addDivided(closure, after: end + " ", indentation: indentation)
    }
    return true
  }
}
