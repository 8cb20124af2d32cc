import Arbor
import ArborRequests

/// The state of the shop.
struct ShopState: Codable, Equatable, Sendable {
  var search = SearchState()
  var cart = CartState()
  var payment = PaymentState()
  var requests = Requests()

  var isOpen = false

  /// The time since the shop was opened, in seconds.
  var seconds = 0
}

/// The actions of the shop.
enum ShopAction: Codable, Equatable, Sendable {
  case search(SearchAction)
  case cart(CartAction)
  case payment(PaymentAction)
  case requests(RequestAction)
  case open
  case close
  case tick

  /// Turns a page of a viewed product.
  case turnPage
}

/// The actions of the features that are scoped to these cases.
extension ShopAction {
  var search: SearchAction? { if case .search(let action) = self { action } else { nil } }
  var cart: CartAction? { if case .cart(let action) = self { action } else { nil } }
  var requests: RequestAction? { if case .requests(let action) = self { action } else { nil } }
  var payment: PaymentAction? { if case .payment(let action) = self { action } else { nil } }
}

/// The whole shop, made of its features.
///
/// - Parameter services: The outside functions that it needs.
func shopFeature(services: Services) -> Feature<ShopState, ShopAction> {
  Feature<ShopState, ShopAction>.combined(
    searchFeature(products: services.products).scoped(to: \.search, action: ShopAction.search, extract: \.search),
    cartFeature.scoped(to: \.cart, action: ShopAction.cart, extract: \.cart),
    paymentFeature(charge: services.charge).scoped(to: \.payment, action: ShopAction.payment, extract: \.payment),
    Requests.feature(stockRequest(pieces: services.pieces))
      .scoped(to: \.requests, action: ShopAction.requests, extract: \.requests),
    // A payment that has succeeded empties the cart.
    Feature(
      effects: { _, action in
        if case .payment(.succeeded) = action { .send(.cart(.clear)) } else { .none }
      }
    ),
    Feature(
      stateEffects: [
        StateEffect(while: \.isOpen) { _ in
          .run(key: "clock") { dispatch in
            while true {
              try await services.second()
              dispatch(.tick)
            }
          }
        }
      ],
      reducer: { state, action in
        switch action {
        case .open: state.isOpen = true
        case .close: state.isOpen = false
        case .tick: state.seconds += 1
        case .search, .cart, .payment, .requests, .turnPage: break
        }
      }
    )
  )
}
