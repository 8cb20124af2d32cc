internal import Arbor

/// A definition that a cache knows: a ``Request``, a ``PagedRequest`` or a ``Change``.
public protocol RequestDefinition: Sendable {
  /// The name in the cache.
  var name: String { get }

  /// The definition without its types.
  var definition: AnyRequestDefinition { get }
}

/// A definition without its types.
public struct AnyRequestDefinition: Sendable {
  enum Form: Sendable {
    case request(FetchFunctions)
    case change(ChangeFunctions)
  }

  let form: Form

  init(_ form: Form) {
    self.form = form
  }
}

/// The functions of a request, without its types.
struct FetchFunctions: Sendable {
  let policy: RequestPolicy

  /// Returns a value that is decoded.
  let typed: @Sendable (RequestValue) throws -> RequestValue
  let tags: @Sendable (RequestID, RequestValue) -> [RequestTag]

  /// Fetches, and returns the answer. A stream sends its answers, and returns nil at its end.
  let run: @Sendable (RequestID, _ send: @escaping @Sendable (RequestValue) -> Void) async throws -> RequestValue?
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
