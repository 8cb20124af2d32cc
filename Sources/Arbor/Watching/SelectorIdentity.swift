/// The identity of a selector, shared by all copies of the selector.
@usableFromInline
final class SelectorIdentity: Sendable {
  /// The number of the selector. Unlike an object's address, it is never reused for another selector.
  @usableFromInline let number = Identity().number

  let life = SelectorLife()

  #if DEBUG
    private let hasReported = AtomicFlag(false)
  #endif

  @usableFromInline
  init() {}

  deinit { life.end() }

  /// Reports once, in debug builds, that two reads of the selector's inputs from the same state weren't equal.
  @usableFromInline
  func reportInputs(of selector: @autoclosure () -> Any.Type) {
    #if DEBUG
      guard !hasReported.exchange(true) else { return }
      Misuse.selectorInputsDiffer.report(about: "\(selector())")
    #endif
  }
}

/// The record that shows if a selector still exists, for caches that keep the selector's output.
///
/// A weak reference would also work, but it gives the selector's identity a side table. That table only refers back to
/// the identity by a masked address, so a leak checker would report each selector in a `static let` as a leak.
final class SelectorLife: Sendable {
  private let isOverNow = AtomicFlag(false)

  /// `true` after all copies of the selector are gone.
  var isGone: Bool { isOverNow.loadRelaxed() }

  func end() {
    isOverNow.store(true)
  }
}
