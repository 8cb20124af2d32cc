import Arbor

/// A product that a customer views: the state of a child store, which lives as long as the view.
struct DetailState: Codable, Equatable, Sendable {
  let product: Product
  var page = 1
}

/// A viewed product: each turn shows its next page.
let detailFeature = Feature<DetailState, ShopAction> { state, action in
  if case .turnPage = action { state.page += 1 }
}
