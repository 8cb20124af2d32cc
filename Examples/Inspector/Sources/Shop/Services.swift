/// The functions of the outside world that the shop needs.
struct Services: Sendable {
  /// Returns the products for a text.
  var products: @Sendable (_ query: String) async throws -> [Product]

  /// Returns the number of pieces of a product in the warehouse.
  var pieces: @Sendable (_ id: Product.ID) async throws -> Int

  /// Charges the card; throws if this fails.
  var charge: @Sendable (_ amount: Int, _ attempt: Int) async throws -> Void

  /// Returns after a second.
  var second: @Sendable () async throws -> Void
}

/// The bank does not answer.
struct NoAnswer: Error, CustomStringConvertible {
  var description: String { "the bank does not answer" }
}

extension Services {
  /// Finds products with the text in their names. The bank answers only the third attempt. Teapots are counted manually,
  /// which takes minutes.
  static let demo = Services(
    products: { query in
      Product.all.filter { $0.name.lowercased().contains(query.lowercased()) }
    },
    pieces: { id in
      let isTeapot = Product.all.contains { $0.id == id && $0.name == "Teapot" }
      try await Task.sleep(for: isTeapot ? .seconds(300) : .milliseconds(100))
      return 3 * id
    },
    charge: { _, attempt in
      try await Task.sleep(for: .milliseconds(100))
      if attempt < 3 { throw NoAnswer() }
    },
    second: { try await Task.sleep(for: .seconds(1)) }
  )
}
