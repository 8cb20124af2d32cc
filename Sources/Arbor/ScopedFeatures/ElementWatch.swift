/// Finds the elements of a collection that a step may have changed.
///
/// - Only used on the tree's queue.
/// - The scope's reducer records the element that it changes. Any other change to the collection is found by its
///   version: in a table, versions also show which elements were changed.
/// - Keeping a version of an array makes the next change copy the array, unless the scope makes that change. So a
///   version is only kept after the performers have checked as many parts without it as would be copied. In the worst
///   case, when something else changes the array in each step, that doubles their work.
@usableFromInline
final class ElementWatch<Parts: ScopedParts>: Sendable {
  /// The collection, as the performers of effects see it.
  @usableFromInline let collection = WatchedCollection()

  @usableFromInline let parts: Parts

  /// The state that contains the collection.
  @usableFromInline let outer: StateAccess<Parts.Whole>

  /// The last version that was compared; nil if each element may have changed since.
  @usableFromInline nonisolated(unsafe) var version: Parts.Version?

  /// The identity of the part that contains the collection when ``version`` was compared; nil if it never changes.
  @usableFromInline nonisolated(unsafe) var identity: PartIdentity?

  /// The elements that the reducer has changed since.
  @usableFromInline nonisolated(unsafe) var changed: [Parts.ID] = []

  /// `true` while the reducer changes an element.
  @usableFromInline nonisolated(unsafe) var isChanging = false

  @inlinable
  init(_ parts: Parts, in outer: StateAccess<Parts.Whole>) {
    self.parts = parts
    self.outer = outer
    collection.compare = { [unowned self] in compare() }
  }

  /// Records an element before the scope's reducer changes it.
  @inlinable @inline(__always)
  func willChange(_ id: Parts.ID, of whole: inout Parts.Whole) {
    if version != nil { note(id, in: &whole) }
  }

  @inlinable
  func note(_ id: Parts.ID, in whole: inout Parts.Whole) {
    let current = withUnsafeMutablePointer(to: &whole) { parts.version(of: UnsafePointer($0)) }
    guard let changes = changes(until: current) else { return loseVersion() }
    changed += changes
    // Not kept during the change, because the collection would be copied.
    version = nil
    changed.append(id)
    isChanging = true
  }

  /// Records the version after the change.
  @inlinable @inline(__always)
  func didChange(_ whole: inout Parts.Whole, _ change: ScopedChange) {
    guard isChanging else { return }
    isChanging = false
    if change != .whole { version = withUnsafeMutablePointer(to: &whole) { parts.version(of: UnsafePointer($0)) } }
  }

  /// Returns the effects of the elements. Before each call, they find out which elements may have changed.
  @inlinable
  func watching(_ effects: PlacedEffects<Parts.PartAction>) -> PlacedEffects<Parts.PartAction> {
    PlacedEffects(
      begin: effects.begin,
      perform: { [self, perform = effects.perform] action, key, group in
        compare()
        perform(action, key, group)
      },
      update: effects.update.map { update in
        { @Sendable [self] in
          compare()
          update()
        }
      },
      joinRequests: effects.joinRequests
    )
  }

  /// Compares the collection with the last version.
  @inlinable
  func compare() {
    guard collection.watchers > 0 else {
      collection.touched = .all
      if version != nil { loseVersion() }
      return
    }
    var current: Parts.Version?
    outer.read(nil) { whole in current = parts.version(of: whole) }
    let around = outer.identity?(nil)
    if identity == around, let changes = changes(until: current) {
      changed += changes
      collection.touched = changed.isEmpty ? .none : .some(changed.compactMap { parts.key($0, in: nil) })
    } else {
      collection.touched = .all
      if version != nil { loseVersion() }
      if let current, collection.looks >= Parts.copies(because: current) { (version, identity) = (current, around) }
    }
    if !changed.isEmpty { changed.removeAll(keepingCapacity: true) }
  }

  /// Returns the elements that something else has changed since the last version, which is replaced; nil if that may be
  /// all of them.
  @inlinable
  func changes(until current: Parts.Version?) -> [Parts.ID]? {
    guard let version, let current else { return nil }
    if version == current { return [] }
    guard let changes = Parts.changes(from: version, to: current) else { return nil }
    releaseVersion()
    self.version = current
    return changes
  }

  /// Forgets the version, because something else changed the collection or no performer needs it.
  @usableFromInline
  func loseVersion() {
    collection.looks = 0
    releaseVersion()
  }

  @usableFromInline
  func releaseVersion() {
    // It may have the last reference to a removed element, whose release is user code.
    if let released = version.take() { Tree.releaseLater(ReleaseBatch([released])) }
  }
}
