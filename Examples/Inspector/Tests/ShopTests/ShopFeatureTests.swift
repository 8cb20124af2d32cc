import Arbor
import ArborTesting
import Testing

@testable import Shop

@Suite struct ShopFeatureTests {
  private let clock = TestClock()

  private func store(charge: @escaping @Sendable (Int, Int) async throws -> Void = { _, _ in }) -> TestStore<
    ShopState, ShopAction
  > {
    let services = Services(
      products: Services.demo.products,
      pieces: Services.demo.pieces,
      charge: charge,
      second: { [clock] in try await clock.sleep(for: .seconds(1)) }
    )
    return TestStore(initialState: ShopState(), feature: shopFeature(services: services), clock: clock)
  }

  @Test func `a search begins after a pause in typing`() async {
    let store = store()
    for text in ["h", "ho", "hon"] {
      await store.send(.search(.type(text))) {
        $0.search.query = text
        $0.search.isSearching = true
      }
      clock.advance(by: .milliseconds(299))
    }
    clock.advance(by: .milliseconds(1))
    let honey = Product.all.filter { $0.name == "Honey" }
    await store.receive(.search(.found(honey))) {
      $0.search.found = honey
      $0.search.isSearching = false
    }
    await store.finish()
  }

  @Test func `a payment is retried, and empties the cart when it succeeds`() async {
    let store = store { _, attempt in if attempt < 2 { throw NoAnswer() } }
    await store.send(.cart(.add(id: 3))) {
      $0.cart.lines = [CartState.Line(product: Product.all[2], count: 1)]
    }
    let card = Card(number: "1")
    await store.send(.payment(.pay(amount: 890, card: card))) {
      $0.payment.amount = 890
      $0.payment.card = card
      $0.payment.work.run(maxAttempts: 3, backoff: .exponential(initial: .milliseconds(200)))
    }
    await store.receive(.payment(.failed("the bank does not answer"))) { $0.payment.work.retryOrFail("") }
    clock.advance(by: .milliseconds(200))
    await store.receive(.payment(.succeeded)) { $0.payment.work.succeed() }
    await store.receive(.cart(.clear)) { $0.cart.lines = [] }
    await store.finish()
  }

  @Test func `the shop's clock runs while it is open`() async {
    let store = store()
    await store.send(.open) { $0.isOpen = true }
    for second in 1...3 {
      clock.advance(by: .seconds(1))
      await store.receive(.tick) { $0.seconds = second }
    }
    await store.send(.close) { $0.isOpen = false }
    clock.advance(by: .seconds(10))
    await store.finish()
  }

  @Test func `a customer buys the product that was found`() async throws {
    let services = Services(products: Services.demo.products, pieces: { $0 }, charge: { _, _ in }, second: {})
    let shop = StoreFactory(initialState: ShopState(), feature: shopFeature(services: services))
    try await Customer(shop: shop, stock: stockRequest(pieces: services.pieces), pause: { _ in }).buy("honey")
    #expect(shop.state.search.query == "honey")
    #expect(shop.state.payment.amount == 720 && shop.state.payment.work.status == .succeeded)
  }
}
