import Arbor

enum ShopAction: Equatable, Sendable {
  case enter(Visitor)
  case move(Address)
  case grow(age: Int?)
  case leave
  case add(Row)
  case rename(Int, to: String)
  case count(Int, by: Int)
  case note(String??)
  case drop
  case restock([String: Int])
  case stocked(String, count: Int)
  case label(Label, price: Double?)
  case type(String)
  case found([String], for: String)
  case pay(Phase.Method)
  case paid(Phase.Receipt)
  case refuse(reason: String)
  case counted(Double)
  case browse
}

/// The feature of the program.
let shop = Feature<Shop, ShopAction>(effects: shopEffects) { shop, action in shop.reduce(action) }

/// Effects that send immediately, and effects in tasks.
private func shopEffects(shop: Shop, action: ShopAction) -> Effect<ShopAction> {
  switch action {
  case .add, .drop, .count:
    return .send(.counted(shop.rows.reduce(0) { $0 + Double($1.count) * 0.25 }))
  case .type(let text):
    let titles = shop.rows.map(\.title)
    return .run(key: "search", mode: .dropCurrent) { dispatch in
      dispatch(.found(titles.filter { $0.contains(text) }, for: text))
    }
  case .restock(let stock):
    let items = stock.sorted { $0.key < $1.key }
    return .concatenate(items.map { item in .run { dispatch in dispatch(.stocked(item.key, count: item.value)) } })
  case .pay(.cash) where shop.total > 1:
    return .run { dispatch in dispatch(.refuse(reason: "no change")) }
  case .pay:
    let receipt = Phase.Receipt(number: shop.rows.count, lines: shop.rows.map(\.title))
    return .run { dispatch in
      dispatch(.paid(receipt))
      dispatch(.browse)
    }
  default: return .none
  }
}

extension Shop {
  mutating func reduce(_ action: ShopAction) {
    switch action {
    case .enter(let visitor): self.visitor = visitor
    case .move(let address): visitor?.address = address
    case .grow(let age): visitor?.age = age
    case .leave: self = Shop()
    case .add(let row): rows.append(row)
    case .rename(let index, let title): if rows.indices.contains(index) { rows[index].title = title }
    case .count(let index, let count): if rows.indices.contains(index) { rows[index].count += count }
    case .note(let note): for index in rows.indices { rows[index].note = note }
    case .drop: rows = Array(rows.dropFirst())
    case .restock: break
    case .stocked(let title, let count): stock[title] = count == 0 ? nil : count
    case .label(let label, let price):
      labels.formSymmetricDifference([label])
      prices[label] = price
    case .type(let text):
      search.text = text
      search.isRunning = true
    case .found(let results, _):
      search.results = results
      search.isRunning = false
    case .pay(let method): phase = .paying(total, with: method)
    case .paid(let receipt): phase = .done(receipt)
    case .refuse(let reason): phase = .refused(reason: reason, after: phase)
    case .counted(let total): self.total = total
    case .browse: phase = .browsing
    }
  }
}
