/// The memory of a reader for the selectors it reads: of each one output. It belongs to a node or to a derived value.
///
/// - Not safe from several threads: used on the queue of the reader's tree only.
/// - What was computed by a selector that nobody has any more is forgotten in time.
@usableFromInline
final class SelectorCache: Attachment, @unchecked Sendable {  // Its reader has it alone, on the tree's serial queue.
  /// In the order of their first reading: a few are found faster so than in a table.
  private var entries: [SelectorEntry] = []

  /// The entry that was found last. Not retained: it is among the entries.
  @usableFromInline
  @exclusivity(unchecked)
  private(set) var latest: Unmanaged<SelectorEntry>?

  /// How many entries there may be until those that are of no use are looked for.
  private var limit = 16

  /// Stands for the reader's only state.
  private let reader = Identity()
  private var revision: UInt64 = 0

  @usableFromInline
  override init() {
    super.init()
  }

  /// A moment that is later than all before, for a reader that does not know whether its state has changed.
  func nextMoment() -> StateVersion {
    revision += 1
    return StateVersion(revision: revision, reader: reader)
  }

  /// The entry of a selector, if anything is remembered of it.
  @inlinable
  func entry(of selector: SelectorIdentity) -> Unmanaged<SelectorEntry>? {
    if let latest, latest._withUnsafeGuaranteedRef({ $0.selector }) == selector.number { return latest }
    return earlierEntry(of: selector.number)
  }

  @usableFromInline
  func earlierEntry(of number: UInt64) -> Unmanaged<SelectorEntry>? {
    guard let entry = entries.first(where: { $0.selector == number }) else { return nil }
    latest = .passUnretained(entry)
    return latest
  }

  /// How often a selector was computed.
  func recomputations(of selector: SelectorIdentity) -> Int {
    entry(of: selector)?._withUnsafeGuaranteedRef { $0.recomputations } ?? 0
  }

  /// Remembers another selector.
  @usableFromInline
  func add(_ entry: SelectorEntry) {
    if entries.count == limit { forget() }
    entries.append(entry)
    latest = .passUnretained(entry)
  }

  private func forget() {
    // What is released may be a user's, and read a selector here.
    let all = entries
    latest = nil
    entries = all.filter(\.isOfUse)
    limit = max(entries.count * 2, 16)
    withExtendedLifetime(all) {}
  }
}
