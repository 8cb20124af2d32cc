/// What a reader remembers of the selectors it reads: of each one output. It belongs to a node or to a derived value.
///
/// - Not a reader's work at the same time as itself: on the queue of the reader's tree only.
/// - What was computed by a selector that nobody has any more is forgotten in time.
@usableFromInline
final class SelectorCache: @unchecked Sendable {  // Touched on the reader's queue only.
  /// The one that was read last comes first: few are read often, and a few are found faster so than in a table.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var entries: [SelectorEntry] = []

  /// How many entries there may be until those that are of no use are looked for.
  private var limit = 16

  /// Stands for the reader's only state.
  private let reader = Identity()
  private var revision: UInt64 = 0

  @usableFromInline
  init() {}

  /// A moment that is later than all before, for a reader that does not know whether its state has changed.
  func nextMoment() -> SelectorMoment {
    revision += 1
    return SelectorMoment(revision: revision, reader: reader)
  }

  /// What is remembered of a selector, if anything is.
  @inlinable
  func entry(of selector: SelectorIdentity) -> SelectorEntry? {
    let number = selector.number
    guard let first = entries.first else { return nil }
    return first.selector == number ? first : laterEntry(of: number)
  }

  @usableFromInline
  func laterEntry(of number: UInt64) -> SelectorEntry? {
    guard let index = entries.firstIndex(where: { $0.selector == number }) else { return nil }
    entries.swapAt(0, index)
    return entries[0]
  }

  /// Remembers another selector.
  @usableFromInline
  func add(_ entry: SelectorEntry) {
    if entries.count == limit { forget() }
    entries.append(entry)
  }

  private func forget() {
    // What is released may be a user's, and read a selector here.
    let all = entries
    entries = all.filter(\.isOfUse)
    limit = max(entries.count * 2, 16)
    withExtendedLifetime(all) {}
  }
}
