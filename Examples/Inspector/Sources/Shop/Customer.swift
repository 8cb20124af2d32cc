import Arbor
import ArborRequests

/// A customer who visits the shop repeatedly: searches, views the results, and buys a product.
struct Customer: Sendable {
  let shop: StoreFactory<ShopState, ShopAction>
  let stock: Request<Product.ID, Int>

  /// Waits between two actions.
  let pause: @Sendable (_ duration: Duration) async throws -> Void

  /// Visits the shop until the task is canceled.
  func visit() async throws {
    shop.dispatch(.open)
    while true {
      for text in ["tea", "cup", "honey", "coffee"] { try await buy(text) }
    }
  }

  /// Searches for a text, and buys the first product that is found.
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

  /// Views a product and its stock, in a child store that is released afterward.
  private func look(at product: Product) async throws {
    let detail = shop.childStore(
      initialState: DetailState(product: product),
      stateMapping: { _, detail in detail },
      feature: detailFeature
    )
    let pieces = shop.rootStore().scope(to: \.requests, action: ShopAction.requests).request(stock, product.id)
    defer { withExtendedLifetime(pieces) {} }
    for _ in 1...2 {
      detail.dispatch(.turnPage)
      try await pause(.milliseconds(400))
    }
  }
}
