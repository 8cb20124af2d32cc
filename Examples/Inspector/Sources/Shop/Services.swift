/// The functions of the outside world that the shop needs.
struct Services: Sendable {
  /// Returns what is found for a text.
  var products: @Sendable (_ query: String) async throws -> [Product]

  /// Takes money; throws if it could not.
  var charge: @Sendable (_ amount: Int, _ attempt: Int) async throws -> Void

  /// Returns after a second.
  var second: @Sendable () async throws -> Void
}

/// The bank does not answer.
struct NoAnswer: Error, CustomStringConvertible {
  var description: String { "the bank does not answer" }
}

extension Services {
  /// Finds what has the text in its name. The bank answers the third attempt only.
  static let demo = Services(
    products: { query in
      Product.all.filter { $0.name.lowercased().contains(query.lowercased()) }
    },
    charge: { _, attempt in
      try await Task.sleep(for: .milliseconds(100))
      if attempt < 3 { throw NoAnswer() }
    },
    second: { try await Task.sleep(for: .seconds(1)) }
  )
}
