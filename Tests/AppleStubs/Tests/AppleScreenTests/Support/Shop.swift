import Arbor
import ArborEntities
import ArborUI

/// The state shown in the tests of screens.
struct Shop: Equatable, Sendable {
  var name = "Corner"
  var visitors = 0
  var editor: Editor?
  var destination: Destination?
  var path: [Int] = []
  var items = EntityTable<Item>()

  var sorted: EntityList<Item> { items[Item.byPrice] }
}

struct Editor: Identifiable, Equatable, Sendable {
  let id: Int
  var text = ""
}

enum Destination: Equatable, Sendable {
  case editor(Editor)
  case help

  var editor: Editor? { if case .editor(let editor) = self { editor } else { nil } }
}

struct Item: IndexedEntity, Equatable, Sendable {
  let id: Int
  var title: String
  var price = 0

  static let byPrice = SortedIndex(\Item.price)
  static var indexes: [any EntityIndex<Item>] { [byPrice] }
}

enum ShopAction: Equatable, Sendable {
  case rename(String)
  case enter
  case edit(id: Int)
  case go(Destination?)
  case closeEditor(id: Int)
  case editor(EditorAction)
  case travel([Int])
  case item(Int, ItemAction)
  case stock([Item])
  case remove([Int])
}

enum EditorAction: Equatable, Sendable {
  case text(String)
}

enum ItemAction: Equatable, Sendable {
  case title(String)
  case price(Int)
}

/// Refuses empty names, and paths with more than two places.
let shopFeature = Feature<Shop, ShopAction> { shop, action in
  switch action {
  case .rename(let name): if !name.isEmpty { shop.name = name }
  case .enter: shop.visitors += 1
  case .edit(let id): shop.editor = Editor(id: id)
  case .go(let destination): shop.destination = destination
  case .closeEditor(let id):
    if shop.editor?.id == id { shop.editor = nil }
    if shop.destination?.editor?.id == id { shop.destination = nil }
  case .editor(.text(let text)): shop.editor?.text = text
  case .travel(let path): if path.count <= 2 { shop.path = path }
  case .item(let id, .title(let title)): try? shop.items.update(id) { $0.title = title }
  case .item(let id, .price(let price)): try? shop.items.update(id) { $0.price = price }
  case .stock(let items): for item in items { try? shop.items.upsert(item) }
  case .remove(let ids): shop.items.remove(ids: ids)
  }
}
