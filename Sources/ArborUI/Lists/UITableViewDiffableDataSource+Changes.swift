#if canImport(UIKit) && !os(watchOS)
  public import Arbor
  public import ArborEntities
  public import UIKit

  extension UITableViewDiffableDataSource {
    /// Makes a section show records of a table: all in the order of the table or of an index, or some of them.
    ///
    /// ```swift
    /// subscription = store.observe(table: \.books, on: .main) { [weak self] changes in
    ///   self?.books = changes.current
    ///   self?.dataSource.apply(changes, showing: changes.current[Book.byTitle], to: .books)
    /// }
    /// ```
    ///
    /// - Items are the ids of the records. The section has those that were delivered, in their order, whatever it had before.
    /// - Changed records are those that changed since the delivery before, also where the store skipped states: apply each
    ///   delivery. A first one renews all that is shown already.
    /// - Records that changed are reconfigured: their cells stay, and the cell provider is called for them.
    /// - The first delivery of a subscription, and one for a section that is not there, is applied without animation.
    /// - A delivery that leaves the section as it is applies nothing.
    /// - A record that another section shows leaves that one.
    /// - Cost: O(n), as that of a snapshot.
    /// - Parameters:
    ///   - changes: The table as it is, and as it was for the delivery before.
    ///   - records: The records to show: `changes.current` itself, the list of one of its indexes, or what a filter leaves.
    ///   - section: The section, which is appended if it is not there.
    ///   - animatingDifferences: `true` if updates are animated. The first delivery of a subscription is not.
    ///   - completion: Called on the main actor when the update is shown; at once if there is none.
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
