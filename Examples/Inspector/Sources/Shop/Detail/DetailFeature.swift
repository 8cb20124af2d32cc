import Arbor

/// A product that a customer looks at: the state of a child store, which lives as long as it is looked at.
struct DetailState: Codable, Equatable, Sendable {
  let product: Product
  var page = 1
}

/// A product that is looked at: each turn shows its next page.
let detailFeature = Feature<DetailState, ShopAction> { state, action in
  if case .turnPage = action { state.page += 1 }
}
