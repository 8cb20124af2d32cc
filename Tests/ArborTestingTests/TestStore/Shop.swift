import Arbor
import ArborTesting

/// The state that most tests of the test store use.
struct Shop: Equatable, Sendable {
  struct Basket: Equatable, Sendable {
    var items: [String] = []
    var prices: [String: Int] = [:]
  }

  enum Payment: Equatable, Sendable {
    case none
    case card(number: Int)
  }

  var visits = 0
  var basket = Basket()
  var payment = Payment.none
  var coupon: String?
  var isLoading = false
}

enum ShopAction: Equatable, Sendable {
  case visit
  case add(String, price: Int)
  case pay(card: Int)
  case coupon(String?)
  case load
  case loaded([String])
  case stop
  case look
  case tick

  var addedItem: String? {
    if case .add(let item, _) = self { item } else { nil }
  }

  var loadedItems: [String]? {
    if case .loaded(let items) = self { items } else { nil }
  }
}

@Sendable func shopReducer(state: inout Shop, action: ShopAction) {
  switch action {
  case .visit: state.visits += 1
  case .add(let item, let price):
    state.basket.items.append(item)
    state.basket.prices[item] = price
  case .pay(let card): state.payment = .card(number: card)
  case .coupon(let coupon): state.coupon = coupon
  case .load: state.isLoading = true
  case .loaded(let items):
    state.isLoading = false
    state.basket.items = items
  case .stop: state.isLoading = false
  case .look: break
  case .tick: state.visits += 1
  }
}

/// Returns the failures that a body finds.
func failures(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Void
) async rethrows -> [CaughtFailure] {
  try await TestRunner.catching(body).failures
}

/// Returns the text of the only failure that a body finds.
func onlyFailure(
  isolation: isolated (any Actor)? = #isolation,
  _ body: () async throws -> Void
) async rethrows -> String {
  try await failures(body).map(\.failure.text).joined(separator: "\n\nand:\n")
}
