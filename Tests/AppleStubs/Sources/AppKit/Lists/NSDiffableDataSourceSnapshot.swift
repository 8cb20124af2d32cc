/// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct>
public struct NSDiffableDataSourceSnapshot<
  SectionIdentifierType: Hashable,
  ItemIdentifierType: Hashable
> {
  var model = SnapshotModel<SectionIdentifierType, ItemIdentifierType>()

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/init()>
  public init() {}

  init(_ model: SnapshotModel<SectionIdentifierType, ItemIdentifierType>) {
    self.model = model
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/sectionidentifiers>
  public var sectionIdentifiers: [SectionIdentifierType] { model.sections }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/itemidentifiers>
  public var itemIdentifiers: [ItemIdentifierType] { model.items }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/itemidentifiers(insection:)>
  public func itemIdentifiers(inSection identifier: SectionIdentifierType) -> [ItemIdentifierType] {
    model.items(in: identifier)
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/indexofsection(_:)>
  public func indexOfSection(_ identifier: SectionIdentifierType) -> Int? {
    model.sections.firstIndex(of: identifier)
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/indexofitem(_:)>
  public func indexOfItem(_ identifier: ItemIdentifierType) -> Int? {
    model.sectionsOfItems[identifier] == nil ? nil : model.items.firstIndex(of: identifier)
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/sectionidentifier(containingitem:)>
  public func sectionIdentifier(containingItem identifier: ItemIdentifierType) -> SectionIdentifierType? {
    model.sectionsOfItems[identifier]
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/appendsections(_:)>
  public mutating func appendSections(_ identifiers: [SectionIdentifierType]) {
    model.append(sections: identifiers)
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/appenditems(_:tosection:)>
  public mutating func appendItems(
    _ identifiers: [ItemIdentifierType],
    toSection sectionIdentifier: SectionIdentifierType? = nil
  ) {
    model.append(identifiers, to: sectionIdentifier ?? model.sections.last!)
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/deleteitems(_:)>
  public mutating func deleteItems(_ identifiers: [ItemIdentifierType]) {
    model.delete(identifiers)
  }

  /// <https://developer.apple.com/documentation/appkit/nsdiffabledatasourcesnapshot-swift.struct/reloaditems(_:)>
  public mutating func reloadItems(_ identifiers: [ItemIdentifierType]) {
    model.requireItems(identifiers)
    model.reloaded += identifiers
  }
}
