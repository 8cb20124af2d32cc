#if canImport(AppKit) && !targetEnvironment(macCatalyst)
  import Arbor
  import ArborEntities
  import AppKit

  extension NSDiffableDataSourceSnapshot {
    /// Makes a section show records of a table that was delivered, and reloads those that changed.
    ///
    /// - A section that is not there is appended. An item of another section moves to this one.
    /// - Ids that come twice count once: a snapshot takes each id once.
    /// - Cost: O(n). Items that are as before, all or those at the beginning, are only compared.
    mutating func show<Record>(
      _ records: some Sequence<Record>,
      of changes: Changes<EntityTable<Record>>,
      in section: SectionIdentifierType
    ) -> ListChange where Record.ID == ItemIdentifierType {
      let difference = changes.difference()
      // Inserted ones as well: a new subscription may find them shown as they were before it.
      let changed = (difference.updated + difference.inserted).filter { indexOfItem($0) != nil }

      let isNew = indexOfSection(section) == nil
      if isNew { appendSections([section]) }
      let isReplaced = replaceItems(of: section, with: records.map(\.id))
      let staying = changed.filter { sectionIdentifier(containingItem: $0) == section }
      if !staying.isEmpty { reloadItems(staying) }

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
      // To append an item of another section would move it, too, but with a warning.
      let elsewhere = entering.filter { indexOfItem($0) != nil }
      if !elsewhere.isEmpty { deleteItems(elsewhere) }
      if !entering.isEmpty { appendItems(entering, toSection: section) }
      return !leaving.isEmpty || !entering.isEmpty
    }
  }
#endif
