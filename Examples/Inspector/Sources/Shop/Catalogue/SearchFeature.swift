import Arbor

/// The search text, and the products that were found.
struct SearchState: Codable, Equatable, Sendable {
  var query = ""
  var found: [Product] = []
  var isSearching = false
}

/// The actions of a search.
enum SearchAction: Codable, Equatable, Sendable {
  case type(String)
  case found([Product])
}

/// The search, which begins after a pause in typing.
///
/// - Parameter products: Returns the products for a text.
func searchFeature(
  products: @escaping @Sendable (_ query: String) async throws -> [Product]
) -> Feature<SearchState, SearchAction> {
  Feature(
    effects: { _, action in
      guard case .type(let query) = action else { return .none }
      return .run(key: "search", mode: .debounce(.milliseconds(300))) { dispatch in
        dispatch(.found(try await products(query)))
      }
    },
    reducer: { state, action in
      switch action {
      case .type(let query):
        state.query = query
        state.isSearching = true
      case .found(let products):
        state.found = products
        state.isSearching = false
      }
    }
  )
}
