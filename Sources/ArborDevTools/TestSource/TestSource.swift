internal import Arbor

/// A test of a `TestStore` in Swift, made from what a store has done.
///
/// ```swift
/// await store.send(.add("Rake")) { $0.items = ["Rake"] }
/// await store.receive(.saved(1)) { $0.revision = 1 }
/// await store.finish()
/// ```
///
/// - An action from outside is sent, any other one received; the closure assigns the parts of the state that the action
///   has changed, by their paths, and is left out where it has changed none. What cannot be written as Swift is an error
///   (``SwiftLiteral``), with nothing written.
/// - Assumed of a path, because no mirror tells it: the properties on it are variables that the test may set. Values of
///   `wholeTypes`, elements that have got another id, and payloads of cases are assigned as a whole.
/// - A test store runs what an action has set off as soon as it can. Of a recording in which an action came from outside
///   while others still waited, or after a time, the test fails there: receive those first, or move the clock.
package struct TestSource<State: Equatable & Sendable, Action: Sendable> {
  /// A step of the store.
  package struct Step: Sendable {
    let origin: TestStepOrigin
    let actions: [Action]
    let isBatch: Bool
    let state: State

    /// Makes a step of an action.
    ///
    /// - Parameter state: The state after it.
    package init(_ origin: TestStepOrigin, _ action: Action, state: State) {
      self.origin = origin
      actions = [action]
      isBatch = false
      self.state = state
    }

    /// Makes a step of a batch.
    package init(_ origin: TestStepOrigin, batch actions: [Action], state: State) {
      self.origin = origin
      self.actions = actions
      isBatch = true
      self.state = state
    }
  }

  /// The name of the test, which is put into backticks if it is no identifier.
  package var name: String

  /// The expression that makes the test store, on one line; a `…` in it stands for the initial state.
  package var makeStore = "TestStore(initialState: …, feature: feature)"

  /// The types whose values are assigned as a whole, because their properties are constants or private to be set.
  package var wholeTypes: [Any.Type] = []

  /// `true` if histories show their recorded documents, which no redaction reaches.
  package var showsPast = true

  /// The state at the start.
  package var initialState: State

  /// The steps, in order.
  package var steps: [Step]

  package init(name: String, initialState: State, steps: [Step] = []) {
    self.name = name
    self.initialState = initialState
    self.steps = steps
  }

  /// The test: a function of a suite, without a line feed at its end.
  ///
  /// - Lines are divided and indented as `swift format` does, in a type at the top level.
  package func function() throws(SwiftSourceError) -> String {
    var lines = SourceLines()
    lines.add("@Test func \(try Identifier.function(name))() async {", indentation: 2)
    try addStore(to: &lines)
    var state = initialState
    for (index, step) in steps.enumerated() {
      let changes = try changes(from: state, to: step.state)
      try add(step, at: index, changes, to: &lines)
      state = step.state
    }
    lines.add("await store.finish()", indentation: 4)
    lines.add("}", indentation: 2)
    return lines.text
  }

  private func addStore(to lines: inout SourceLines) throws(SwiftSourceError) {
    guard makeStore.contains("…") else { return lines.add("let store = \(makeStore)", indentation: 4) }
    let state = try SwiftLiteral.text(of: initialState, at: place.with(isTypeKnown: false))
    let line = "let store = \(makeStore.replacing("…", with: state.flat))"
    if !state.needsLines, SourceLines.fits(line, indentation: 4, commas: state.commas) {
      return lines.add(line, indentation: 4)
    }
    lines.add(state, after: "let initialState = ", indentation: 4)
    lines.add("let store = \(makeStore.replacing("…", with: "initialState"))", indentation: 4)
  }

  /// The place of the state, outside of the closures of steps.
  private var place: LiteralPlace {
    var place = LiteralPlace("state")
    (place.wholeTypes, place.showsPast) = (wholeTypes, showsPast)
    return place
  }

  /// The closure that makes one state of another one; nil if nothing changes.
  private func changes(from before: State, to after: State) throws(SwiftSourceError) -> SourceText? {
    var assignments = StateAssignments()
    try assignments.add(from: before, to: after, at: place.inTest())
    let statements = assignments.statements
    return statements.isEmpty ? nil : .block(opening: "{", statements, closing: "}")
  }

  /// `true` if an action has the token of a held one, which is another one in each run.
  private func hasToken(_ action: Any, depth: Int = 0) -> Bool {
    if action is any HeldToken { return true }
    guard depth < SwiftLiteral.depthLimit else { return false }
    return Mirror(reflecting: action).children.contains { hasToken($0.value, depth: depth + 1) }
  }

  private func add(
    _ step: Step,
    at index: Int,
    _ changes: SourceText?,
    to lines: inout SourceLines
  ) throws(SwiftSourceError) {
    let place = LiteralPlace("steps[\(index)].action")
    let isEquatable = Action.self is any Equatable.Type
    let call = TestCall(function: step.origin == .sent ? "send" : "receive", closure: changes)
    if step.isBatch {
      guard step.origin == .sent || isEquatable else {
        throw place.error("a batch is received by value; let \(Action.self) conform to Equatable")
      }
      call.add(label: "batch: ", try SwiftLiteral.text(of: step.actions, at: place), to: &lines)
    } else if step.origin == .sent || isEquatable, !(step.origin == .received && hasToken(step.actions[0])) {
      call.add(try SwiftLiteral.text(of: step.actions[0], at: place), to: &lines)
    } else {
      call.add(predicate: TestPredicate.text(of: step.actions[0]), to: &lines)
    }
  }
}

/// The token of a held action.
private protocol HeldToken {}

extension HeldAction: HeldToken {}

/// The origin of an action of a recording.
package enum TestStepOrigin: Sendable {
  /// The action came from outside.
  case sent

  /// The action came from an effect, an interceptor, an observer or a task.
  case received
}

/// The closure by which an action is received whose type has no `==`.
enum TestPredicate {
  /// A predicate that holds of the same case, or of a value that is no enum, always.
  static func text(of action: Any) -> String {
    let mirror = Mirror(reflecting: action)
    guard mirror.displayStyle == .enum else { return "{ _ in true }" }
    if let name = mirror.children.first?.label { return predicate(name) }
    let describesItself = action is any CustomStringConvertible || action is any CustomDebugStringConvertible
    return describesItself ? "{ _ in true }" : predicate(String(describing: action))
  }

  private static func predicate(_ name: String) -> String {
    "{ if case .\(Identifier.member(name)) = $0 { true } else { false } }"
  }
}

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

/// The file of a suite of tests.
package struct TestFile {
  /// The name of the suite's type.
  package var suite: String

  /// The modules that the file imports beside `Arbor`'s and Swift Testing: `@testable import Shop` for `@testable Shop`.
  package var modules: [String]

  package init(suite: String, modules: [String] = []) {
    self.suite = suite
    self.modules = modules
  }

  /// The text of the file.
  ///
  /// - Parameter functions: The tests, as ``TestSource/function()`` writes them.
  package func text(of functions: [String]) -> String {
    let plain = (["Arbor", "ArborTesting", "Testing"] + modules.filter { !$0.hasPrefix("@") }).sorted()
    let testable = modules.filter { $0.hasPrefix("@") }.sorted()
    var lines = plain.map { "import \($0)" }
    if !testable.isEmpty { lines += [""] + testable.map(TestFile.testableImport) }
    lines += ["", "struct \(suite) {", functions.joined(separator: "\n\n"), "}"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func testableImport(_ module: String) -> String {
    let parts = module.split(separator: " ")
    return "\(parts[0]) import \(parts.dropFirst().joined(separator: " "))"
  }
}
