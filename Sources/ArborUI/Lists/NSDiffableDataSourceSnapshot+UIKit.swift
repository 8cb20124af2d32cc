#if canImport(UIKit) && !os(watchOS)
  import Arbor
  import ArborEntities
  import UIKit

  extension NSDiffableDataSourceSnapshot {
    /// Makes a section show delivered records of a table, and reconfigures those that changed.
    ///
    /// - A section that does not exist is appended. An item of another section moves to this one.
    /// - Duplicate ids count once, because a snapshot contains each id only once.
    /// - Cost: O(n). Unchanged items, either all or those at the beginning, are only compared.
    mutating func show<Record>(
      _ records: some Sequence<Record>,
      of changes: Changes<EntityTable<Record>>,
      in section: SectionIdentifierType
    ) -> ListChange where Record.ID == ItemIdentifierType {
      let difference = changes.difference()
      // Include inserted records: a new subscription may find them on screen with older values.
      let changed = (difference.updated + difference.inserted).filter { indexOfItem($0) != nil }

      let isNew = indexOfSection(section) == nil
      if isNew { appendSections([section]) }
      let isReplaced = replaceItems(of: section, with: records.map(\.id))
      let staying = changed.filter { sectionIdentifier(containingItem: $0) == section }
      if !staying.isEmpty { reconfigureItems(staying) }

      guard isNew || isReplaced || !staying.isEmpty else { return .none }
      return isNew || changes.previous == nil ? .load : .update
    }

    /// - Returns: `false` if the section has these items already, in this order.
    private mutating func replaceItems(of section: SectionIdentifierType, with items: [ItemIdentifierType]) -> Bool {
      let before = itemIdentifiers(inSection: section)
      guard items != before else { return false }
      let items = items.withoutRepetitions()
      let same = zip(before, items).prefix { $0 == $1 }.count
      let (leaving, entering) = (Array(before[same...]), Array(items[same...]))
      if !leaving.isEmpty { deleteItems(leaving) }
      // Appending an item of another section would also move it, but with a warning.
      let elsewhere = entering.filter { indexOfItem($0) != nil }
      if !elsewhere.isEmpty { deleteItems(elsewhere) }
      if !entering.isEmpty { appendItems(entering, toSection: section) }
      return !leaving.isEmpty || !entering.isEmpty
    }
  }
#endif
