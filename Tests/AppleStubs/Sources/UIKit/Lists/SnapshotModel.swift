/// The content of a diffable snapshot: a model that UIKit's and AppKit's stubs share.
///
/// - It stops the program in the same cases as Apple's: for a duplicate id, a missing id, or a missing section.
/// - It is stricter in one case where Apple's only warns: an appended item must not be in another section.
struct SnapshotModel<Section: Hashable, Item: Hashable> {
  private(set) var sections: [Section] = []
  private(set) var itemsOfSections: [Section: [Item]] = [:]
  private(set) var sectionsOfItems: [Item: Section] = [:]

  /// The items to reload or reconfigure when the snapshot is applied.
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
