/// A reader's cache: one output for each selector that the reader has read. The reader is a node or a derived value.
///
/// - Not thread-safe: only used on the queue of the reader's tree.
/// - When the cache grows, outputs of selectors that no longer exist are removed.
@usableFromInline
final class SelectorCache: Attachment, Sendable {
  /// The entries in the order in which selectors were first read: for a few entries, an array is faster than a table.
  nonisolated(unsafe) private var entries: [SelectorEntry] = []

  /// The entry that was found last. Not retained, because it is one of the entries.
  @usableFromInline
  @exclusivity(unchecked)
  nonisolated(unsafe) private(set) var latest: Unmanaged<SelectorEntry>?

  /// The number of entries at which entries of selectors that no longer exist are removed.
  nonisolated(unsafe) private var purgeThreshold = 16

  /// The identity of the reader in the versions that ``nextVersion()`` makes.
  private let reader = Identity()
  nonisolated(unsafe) private var revision: UInt64 = 0

  init() {}

  /// Returns the cache of a node.
  @usableFromInline
  static func of(_ node: Node) -> Unmanaged<SelectorCache> { node.attachments.object(SelectorCache.init) }

  /// Makes a version that differs from all earlier ones, for a reader that doesn't know if its state has changed.
  func nextVersion() -> StateVersion {
    revision += 1
    return StateVersion(revision: revision, reader: reader)
  }

  /// Returns the entry of a selector; nil if its output isn't cached.
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

  /// Returns the number of times a selector was computed.
  func recomputations(of selector: SelectorIdentity) -> Int {
    entry(of: selector)?._withUnsafeGuaranteedRef { $0.recomputations } ?? 0
  }

  /// Adds the entry of a selector that has none yet.
  @usableFromInline
  func add(_ entry: SelectorEntry) {
    if entries.count == purgeThreshold { purge() }
    entries.append(entry)
    latest = .passUnretained(entry)
  }

  private func purge() {
    // Releasing an entry may run user code that reads a selector from this cache, so entries are released last.
    let all = entries
    latest = nil
    entries = all.filter(\.selectorExists)
    purgeThreshold = max(entries.count * 2, 16)
    withExtendedLifetime(all) {}
  }
}
