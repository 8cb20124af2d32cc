#if canImport(UIKit) && !os(watchOS)
  public import Arbor
  public import ArborEntities
  public import UIKit

  extension UICollectionViewDiffableDataSource {
    /// Makes a section show records of a table: all of them in the order of the table or of an index, or only some.
    ///
    /// ```swift
    /// subscription = store.observe(table: \.books, on: .main) { [weak self] changes in
    ///   self?.books = changes.current
    ///   self?.dataSource.apply(changes, showing: changes.current[Book.byTitle], to: .books)
    /// }
    /// ```
    ///
    /// - Items are the ids of the records. Afterward, the section has exactly the delivered records in their order,
    ///   regardless of its previous items.
    /// - Changed records are those that changed since the previous delivery, even if the store skipped states. Apply
    ///   each delivery. The first one refreshes every item that is already shown.
    /// - Changed records are reconfigured: their cells stay, and the cell provider is called for them.
    /// - The first delivery of a subscription, and a delivery for a section that does not exist, is applied without
    ///   animation.
    /// - A delivery that does not change the section applies nothing.
    /// - A record that another section shows moves to this section.
    /// - Cost: O(n), like a snapshot.
    /// - Parameters:
    ///   - changes: The current table, and the table of the previous delivery.
    ///   - records: The records to show: `changes.current` itself, the list of one of its indexes, or the result of a
    ///     filter.
    ///   - section: The section, which is appended if it does not exist.
    ///   - animatingDifferences: `true` to animate updates. The first delivery of a subscription is never animated.
    ///   - completion: Called on the main actor when the update is shown, or immediately if nothing is applied.
    @MainActor
    public func apply<Record>(
      _ changes: Changes<EntityTable<Record>>,
      showing records: some Sequence<Record>,
      to section: SectionIdentifierType,
      animatingDifferences: Bool = true,
      completion: (() -> Void)? = nil
    ) where Record.ID == ItemIdentifierType {
      var snapshot = snapshot()
      switch snapshot.show(records, of: changes, in: section) {
      case .none: completion?()
      case .load: apply(snapshot, animatingDifferences: false, completion: completion)
      case .update: apply(snapshot, animatingDifferences: animatingDifferences, completion: completion)
      }
    }
  }
#endif
