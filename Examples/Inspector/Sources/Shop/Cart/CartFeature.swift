import Arbor

/// The products that a customer wants to buy.
struct CartState: Codable, Equatable, Sendable {
  struct Line: Codable, Equatable, Sendable {
    let product: Product
    var count: Int
  }

  var lines: [Line] = []

  /// The total in cents.
  var total: Int { lines.reduce(0) { $0 + $1.product.price * $1.count } }
}

/// The actions of a cart.
enum CartAction: Codable, Equatable, Sendable {
  case add(id: Int)
  case remove(id: Int)
  case clear
}

/// The cart. Products that the shop does not sell are not added.
let cartFeature = Feature<CartState, CartAction> { state, action in
  switch action {
  case .add(let id):
    if let index = state.lines.firstIndex(where: { $0.product.id == id }) {
      state.lines[index].count += 1
    } else if let product = Product.all.first(where: { $0.id == id }) {
      state.lines.append(CartState.Line(product: product, count: 1))
    }
  case .remove(let id): state.lines.removeAll { $0.product.id == id }
  case .clear: state.lines = []
  }
}
