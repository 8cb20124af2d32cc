internal import Arbor

/// A definition that a cache knows: a ``Request`` or a ``Change``.
public protocol RequestDefinition<Argument>: Sendable {
  /// The type of the argument of a request, or of the input of a change.
  associatedtype Argument: Codable & Equatable & Sendable

  /// The name in the cache.
  var name: String { get }

  /// Returns the identity of a call.
  ///
  /// - Parameter argument: The argument, or the input.
  func id(_ argument: Argument) -> RequestID

  /// The definition without its types.
  var definition: AnyRequestDefinition { get }
}

/// A definition without its types.
public struct AnyRequestDefinition: Sendable {
  /// `true` for a request that goes on after its first answer.
  package var isStream: Bool { if case .request(let functions) = form { functions.policy.isStream } else { false } }

  enum Form: Sendable {
    case request(FetchFunctions)
    case change(ChangeFunctions)
  }

  /// Returns the reason why a value that a test gives isn't an answer; nil if it is one.
  package func failure(of answer: any Sendable, for id: RequestID, at cursor: RequestValue?) -> RequestFailure? {
    do {
      switch form {
      case .request(let functions): _ = try functions.receive(id, cursor, answer)
      case .change(let functions): _ = try functions.output(answer)
      }
      return nil
    } catch {
      return RequestFailure(error)
    }
  }

  let form: Form

  init(_ form: Form) {
    self.form = form
  }
}

/// The functions of a request, without its types.
struct FetchFunctions: Sendable {
  /// Calls the server once: for the answer, or for the page at a cursor.
  ///
  /// A stream sends its answers, and returns nil at its end.
  typealias Call =
    @Sendable (
      _ id: RequestID, _ cursor: RequestValue?, _ send: @escaping @Sendable (any Sendable) throws -> Void
    ) async throws -> (any Sendable)?

  let policy: RequestPolicy

  /// The cursor of the page that is fetched first; nil if the answer has no pages.
  var firstPage: RequestValue?

  /// Returns a value that is decoded.
  let typed: @Sendable (RequestValue) throws -> RequestValue
  let call: Call

  /// Makes an answer of a value that the server returned.
  let receive: @Sendable (_ id: RequestID, _ cursor: RequestValue?, _ value: any Sendable) throws -> ReceivedAnswer
}

extension FetchFunctions {
  /// Fetches an answer, or a number of pages in their order.
  func fetch(
    from cursor: RequestValue?,
    pages count: Int,
    calling call: (_ cursor: RequestValue?) async throws -> ReceivedAnswer?
  ) async throws -> ReceivedAnswer? {
    guard var answer = try await call(cursor) else { return nil }
    while let pages = answer.value.pages, pages.count < count, let cursor = pages.cursor(.next),
      let next = try await call(cursor), let added = next.value.pages
    {
      answer.value = pages.adding(added, .next, atMost: count)
      answer.parts += next.parts
    }
    return answer
  }
}

/// The definitions of a cache, by their names.
struct RequestDefinitions: Sendable {
  private(set) var requests: [String: FetchFunctions] = [:]
  private(set) var changes: [String: ChangeFunctions] = [:]

  init(_ definitions: [any RequestDefinition]) {
    for definition in definitions {
      let isNew: Bool
      switch definition.definition.form {
      case .request(let functions): isNew = requests.updateValue(functions, forKey: definition.name) == nil
      case .change(let functions): isNew = changes.updateValue(functions, forKey: definition.name) == nil
      }
      if !isNew { Misuse.severalDefinitions.stop(about: definition.name) }
    }
  }
}
