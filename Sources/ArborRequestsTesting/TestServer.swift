internal import Arbor
public import ArborRequests
internal import ArborTesting

/// A server for tests: it answers the requests and the changes of a test store as the test says.
///
/// ```swift
/// let store = TestStore(initialState: AppState(), feature: app, clock: clock)
/// store.server.answers(album, 7, with: Album(id: 7, title: "Blue"))
/// store.server.fails(album, 8, with: RequestFailure(.thrown, "not found"))
/// store.server.hangs(album, 9)
/// ```
///
/// - The functions of the definitions aren't called. Their policies hold: delays, timeouts and intervals pass with the
///   clock of the test.
/// - A rule holds for all calls with the same argument, until the next rule for it. A call that hangs ends with the next
///   rule.
/// - A call without a rule is a failure of the test, which names the call. The fetch or the change then fails.
/// - You can use it from any thread.
public final class TestServer: Sendable {
  private enum Rule {
    case answer(any Sendable, isStream: Bool)
    case failure(any Error)
    case hanging
  }

  private struct Call {
    let number: Int
    let name: String
    let send: (@Sendable (any Sendable) throws -> Void)?
    let continuation: CheckedContinuation<(any Sendable)?, any Error>
  }

  private struct Content {
    var rules: [String: Rule] = [:]
    var names: [String] = []
    var waiting: [Call] = []
    var canceled: Set<Int> = []
    var lastNumber = 0
  }

  private let content = Protected(Content())
  private let fail: @Sendable (TestFailure) -> Void

  init(reportingTo fail: @escaping @Sendable (TestFailure) -> Void) {
    self.fail = fail
  }

  /// The calls so far, in their order: `album(7)`, `albums() at 20`.
  public var calls: [String] { content.withLock { $0.names } }

  // MARK: Rules

  /// Answers a request or a change from now on.
  ///
  /// - A stream goes on: each rule is its next value.
  /// - Parameters:
  ///   - definition: The request or the change.
  ///   - argument: The argument, or the input of the change.
  ///   - cursor: The cursor of a page; nil if the answer has no pages.
  ///   - answer: The value that the function of the definition would return: a page, or records before they are
  ///     normalized. A value of another type is a failure of the test.
  public func answers<Definition: RequestDefinition>(
    _ definition: Definition,
    _ argument: Definition.Argument,
    at cursor: (some Codable & Equatable & Sendable)? = Int?.none,
    with answer: some Sendable
  ) {
    let id = definition.id(argument)
    if let failure = definition.definition.failure(of: answer, for: id, at: cursor.map { RequestValue($0) }) {
      fail(.unfit(TestServer.name(id, cursor.map { RequestValue($0) }), failure))
    }
    set(.answer(answer, isStream: definition.definition.isStream), id, cursor)
  }

  /// Lets a request or a change fail from now on.
  ///
  /// - Parameters:
  ///   - definition: The request or the change.
  ///   - argument: The argument, or the input of the change.
  ///   - cursor: The cursor of a page; nil if the answer has no pages.
  ///   - error: The error that the function of the definition would throw.
  public func fails<Definition: RequestDefinition>(
    _ definition: Definition,
    _ argument: Definition.Argument,
    at cursor: (some Codable & Equatable & Sendable)? = Int?.none,
    with error: any Error
  ) {
    set(.failure(error), definition.id(argument), cursor)
  }

  /// Lets a request or a change wait from now on, until the next rule for it.
  ///
  /// - Parameters:
  ///   - definition: The request or the change.
  ///   - argument: The argument, or the input of the change.
  ///   - cursor: The cursor of a page; nil if the answer has no pages.
  public func hangs<Definition: RequestDefinition>(
    _ definition: Definition,
    _ argument: Definition.Argument,
    at cursor: (some Codable & Equatable & Sendable)? = Int?.none
  ) {
    set(.hanging, definition.id(argument), cursor)
  }

  private func set(_ rule: Rule, _ id: RequestID, _ cursor: (some Codable & Equatable & Sendable)?) {
    let name = TestServer.name(id, cursor.map { RequestValue($0) })
    let (calls, oldRule) = content.withLock { content in
      let oldRule = content.rules.updateValue(rule, forKey: name)
      let calls = content.waiting.filter { $0.name == name }
      switch rule {
      case .hanging, .answer(_, isStream: true): break
      case .answer, .failure: content.waiting.removeAll { $0.name == name }
      }
      return (calls, oldRule)
    }
    _ = oldRule
    for call in calls {
      switch rule {
      case .answer(let value, isStream: false): call.continuation.resume(returning: value)
      case .answer(let value, isStream: true): try? call.send?(value)
      case .failure(let error): call.continuation.resume(throwing: error)
      case .hanging: break
      }
    }
  }

  // MARK: Calls

  func call(
    _ id: RequestID,
    _ cursor: RequestValue? = nil,
    _ send: (@Sendable (any Sendable) throws -> Void)? = nil
  ) async throws -> (any Sendable)? {
    let name = TestServer.name(id, cursor)
    let number = content.withLockInAsync { content in
      content.lastNumber += 1
      return content.lastNumber
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        begin(Call(number: number, name: name, send: send, continuation: continuation))
      }
    } onCancel: {
      let call = content.withLock { content in
        content.canceled.insert(number)
        return content.waiting.firstIndex { $0.number == number }.map { content.waiting.remove(at: $0) }
      }
      call?.continuation.resume(throwing: CancellationError())
    }
  }

  private func begin(_ call: Call) {
    // One step, so that a call that waits sees the next rule.
    let (rule, isCanceled) = content.withLock { content in
      content.names.append(call.name)
      let rule = content.rules[call.name]
      let isCanceled = content.canceled.contains(call.number)
      switch rule {
      case .hanging, .answer(_, isStream: true): if !isCanceled { content.waiting.append(call) }
      case .answer, .failure, nil: break
      }
      return (rule, isCanceled)
    }
    switch rule {
    case .answer(let value, isStream: false): call.continuation.resume(returning: value)
    case .failure(let error): call.continuation.resume(throwing: error)
    case .hanging, .answer:
      if isCanceled { return call.continuation.resume(throwing: CancellationError()) }
      if case .answer(let value, _) = rule { try? call.send?(value) }
    case nil:
      fail(.unanswered(call.name))
      let reason = "the server of the test has no answer to \(call.name)"
      call.continuation.resume(throwing: RequestFailure(.undecodable, reason))
    }
  }

  private static func name(_ id: RequestID, _ cursor: RequestValue?) -> String {
    cursor.map { "\(id) at \($0.text ?? "?")" } ?? "\(id)"
  }
}

extension TestFailure {
  fileprivate static func unfit(_ call: String, _ failure: RequestFailure) -> TestFailure {
    TestFailure(
      summary: "The rule for \(call) doesn't fit its definition: \(failure.reason).",
      fix: "answer with the type that the function of the definition returns."
    )
  }

  fileprivate static func unanswered(_ call: String) -> TestFailure {
    TestFailure(
      summary: "\(call) was called, but the server of the test has no answer to it.",
      fix: "call `store.server.answers`, `fails` or `hangs` with this request and argument before."
    )
  }
}
