import Arbor

/// Somebody who visits the shop again and again: searches, looks at what was found, and buys it.
struct Customer: Sendable {
  let shop: StoreFactory<ShopState, ShopAction>

  /// Waits between two things that are done.
  let pause: @Sendable (_ duration: Duration) async throws -> Void

  /// Visits the shop until the task is cancelled.
  func visit() async throws {
    shop.dispatch(.open)
    while true {
      for text in ["tea", "cup", "honey", "coffee"] { try await buy(text) }
    }
  }

  /// Searches for something, and buys the first that is found.
  func buy(_ text: String) async throws {
    for length in 1...text.count {
      shop.dispatch(.search(.type(String(text.prefix(length)))))
      try await pause(.milliseconds(150))
    }
    guard let product = await shop.state(where: { !$0.search.isSearching })?.search.found.first else { return }
    try await look(at: product)
    shop.dispatch(.cart(.add(id: product.id)))
    try await pause(.milliseconds(600))
    shop.dispatch(.payment(.pay(amount: shop.state.cart.total, card: Card(number: "4000 0000 0000 0002"))))
    _ = await shop.state(where: { !$0.payment.work.isInProgress })
    try await pause(.milliseconds(600))
  }

  /// Looks at a product, in a child store that goes when nobody looks any more.
  private func look(at product: Product) async throws {
    let detail = shop.childStore(
      initialState: DetailState(product: product),
      stateMapping: { _, detail in detail },
      feature: detailFeature
    )
    for _ in 1...2 {
      detail.dispatch(.turnPage)
      try await pause(.milliseconds(400))
    }
  }
}
