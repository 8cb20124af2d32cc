internal import Arbor

/// A Swift test with a `TestStore`, made from the steps of a store.
///
/// ```swift
/// await store.send(.add("Rake")) { $0.items = ["Rake"] }
/// await store.receive(.saved(1)) { $0.revision = 1 }
/// await store.finish()
/// ```
///
/// - An action from outside is sent, and any other action is received. The closure assigns the parts of the state that
///   the action changed, by their paths. It is left out if the action changed nothing. If a value can't be written as
///   Swift (``SwiftLiteral``), that is an error, and nothing is written.
/// - Mirrors don't show if a property can be set, so this is assumed for all properties in a path. Values of
///   `wholeTypes`, elements with a different id, and payloads of cases are assigned as a whole.
/// - A test store runs the consequences of an action as soon as it can. If an action in the recording came from outside
///   while others still waited, or after some time, the test fails there. Receive those actions first, or advance the
///   clock.
package struct TestSource<State: Equatable & Sendable, Action: Sendable> {
  /// A step of the store.
  package struct Step: Sendable {
    let origin: TestStepOrigin
    let actions: [Action]
    let isBatch: Bool
    let state: State

    /// Makes a step of an action.
    ///
    /// - Parameter state: The state after the step.
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

  /// The name of the test, which gets backticks if it isn't an identifier.
  package var name: String

  /// The expression that makes the test store, on one line; `…` in it stands for the initial state.
  package var makeStore = "TestStore(initialState: …, feature: feature)"

  /// The types whose values are assigned as a whole, because their properties are constants or have private setters.
  package var wholeTypes: [Any.Type] = []

  /// `true` if histories show their recorded documents, which aren't redacted.
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

  /// Returns the test: a function in a suite, without a newline at its end.
  ///
  /// - Lines are broken and indented like `swift format` does, for a type at the top level.
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

  /// The place of the state outside the closures of steps.
  private var place: LiteralPlace {
    var place = LiteralPlace("state")
    (place.wholeTypes, place.showsPast) = (wholeTypes, showsPast)
    return place
  }

  /// Returns the closure that turns one state into another; nil if nothing changes.
  private func changes(from before: State, to after: State) throws(SwiftSourceError) -> SourceText? {
    var assignments = StateAssignments()
    try assignments.add(from: before, to: after, at: place.inTest())
    let statements = assignments.statements
    return statements.isEmpty ? nil : .block(opening: "{", statements, closing: "}")
  }

  /// Returns `true` if an action contains the token of a held action, which differs in each run.
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
        throw place.error("a batch is received by value; make \(Action.self) conform to Equatable")
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

/// The origin of an action in a recording.
package enum TestStepOrigin: Sendable {
  /// The action came from outside.
  case sent

  /// The action came from an effect, an interceptor, an observer or a task.
  case received
}

/// The closure that receives an action whose type isn't `Equatable`.
enum TestPredicate {
  /// Returns a predicate that matches the same enum case, or any value if the action isn't an enum.
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

  /// Adds the call with an argument, followed by the closure.
  func add(label: String = "", _ argument: SourceText, to lines: inout SourceLines) {
    let line = "await store.\(function)(\(label)\(argument.flat))"
    if !argument.needsLines, addClosure(after: line, commas: argument.commas, to: &lines) { return }
    lines.add("await store.\(function)(", indentation: indentation)
    lines.add(argument, after: label, indentation: indentation + 2, stringIndentation: label.isEmpty ? 0 : 2)
    _ = addClosure(after: ")", to: &lines)
  }

  /// Adds the call with a predicate. The closure is then an argument, because `swift format` requires that for two
  /// closures.
  func add(predicate: String, to lines: inout SourceLines) {
    guard let closure else {
      return lines.add("await store.\(function)(where: \(predicate))", indentation: indentation)
    }
    lines.add("await store.\(function)(", indentation: indentation)
    lines.add("where: \(predicate),", indentation: indentation + 2)
    lines.add(closure, indentation: indentation + 2)
    lines.add(")", indentation: indentation)
  }

  /// Adds the end of the call, followed by the closure.
  ///
  /// - Returns: `false` if even the end doesn't fit on a line.
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

/// A file with a suite of tests.
package struct TestFile {
  /// The name of the suite's type.
  package var suite: String

  /// The modules that the file imports in addition to `Arbor`'s and Swift Testing.
  /// `@testable Shop` becomes `@testable import Shop`.
  package var modules: [String]

  package init(suite: String, modules: [String] = []) {
    self.suite = suite
    self.modules = modules
  }

  /// Returns the text of the file.
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
