/// The content of a diffable snapshot: a model that UIKit's and AppKit's stubs share.
///
/// - Stops the program where Apple's does: an id that is there already, one that is not, a section that is not.
/// - Stricter than Apple's where that only warns: an item that is appended must not be in another section.
struct SnapshotModel<Section: Hashable, Item: Hashable> {
  private(set) var sections: [Section] = []
  private(set) var itemsOfSections: [Section: [Item]] = [:]
  private(set) var sectionsOfItems: [Item: Section] = [:]

  /// What is reloaded or reconfigured when the snapshot is applied.
  var reloaded: [Item] = []
  var reconfigured: [Item] = []

  var items: [Item] { sections.flatMap { itemsOfSections[$0]! } }

  func items(in section: Section) -> [Item] {
    guard let items = itemsOfSections[section] else { preconditionFailure("there is no section \(section)") }
    return items
  }

  mutating func append(sections: [Section]) {
    for section in sections {
      precondition(itemsOfSections.updateValue([], forKey: section) == nil, "the section \(section) is there already")
      self.sections.append(section)
    }
  }

  mutating func append(_ items: [Item], to section: Section) {
    precondition(itemsOfSections[section] != nil, "there is no section \(section)")
    for item in items {
      precondition(sectionsOfItems.updateValue(section, forKey: item) == nil, "the item \(item) is there already")
    }
    itemsOfSections[section]! += items
  }

  mutating func delete(_ items: [Item]) {
    requireItems(items)
    let going = Set(items)
    for section in Set(items.map { sectionsOfItems[$0]! }) {
      itemsOfSections[section]!.removeAll(where: going.contains)
    }
    for item in items { sectionsOfItems[item] = nil }
  }

  func requireItems(_ items: [Item]) {
    for item in items { precondition(sectionsOfItems[item] != nil, "there is no item \(item)") }
  }
}
