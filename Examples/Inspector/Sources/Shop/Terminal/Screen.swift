import Arbor

/// The output about the shop: one line.
enum Screen {
  /// The line about a state.
  static func line(about shop: ShopState) -> String {
    let cart = shop.cart.lines.map { "\($0.count) × \($0.product.name)" }.joined(separator: ", ")
    let search = shop.search.isSearching ? "searching" : "\(shop.search.found.count) found"
    return [
      "\(shop.isOpen ? "open" : "closed") \(shop.seconds) s",
      "search “\(shop.search.query)”: \(search)",
      "cart: \(cart.isEmpty ? "empty" : cart)",
      "total \(euros(shop.cart.total))",
      "payment \(text(of: shop.payment))",
    ].joined(separator: " | ")
  }

  private static func euros(_ cents: Int) -> String {
    let rest = cents % 100
    return "\(cents / 100).\(rest < 10 ? "0" : "")\(rest) €"
  }

  private static func text(of payment: PaymentState) -> String {
    switch payment.work.status {
    case .idle: "none"
    case .inProgress(let attempt): "attempt \(attempt)"
    case .succeeded: "done"
    case .failed(let reason): "failed: \(reason)"
    case .cancelled: "canceled"
    }
  }
}
