import ArborRequests

/// The request of the number of pieces of a product in the warehouse, which is fresh for three seconds.
///
/// - Parameter pieces: Returns the number.
func stockRequest(pieces: @escaping @Sendable (_ id: Product.ID) async throws -> Int) -> Request<Product.ID, Int> {
  Request("stock", freshFor: .seconds(3), retries: 0, fetch: pieces)
}
