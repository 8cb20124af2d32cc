/// A product of the shop.
struct Product: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  let name: String

  /// The price in cents.
  let price: Int
}

extension Product {
  /// All products of the shop.
  static let all = [
    Product(id: 1, name: "Green tea", price: 650),
    Product(id: 2, name: "Black tea", price: 590),
    Product(id: 3, name: "Coffee", price: 890),
    Product(id: 4, name: "Honey", price: 720),
    Product(id: 5, name: "Teapot", price: 3400),
    Product(id: 6, name: "Cup", price: 1250),
  ]
}
