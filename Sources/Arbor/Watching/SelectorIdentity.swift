/// The identity of a selector, shared by all copies of the selector.
@usableFromInline
final class SelectorIdentity: Sendable {
  /// The number of the selector; unlike an object's address, it is never used again for another selector.
  @usableFromInline let number = Identity().number

  let life = SelectorLife()

  #if DEBUG
    private let hasReported = AtomicFlag(false)
  #endif

  @usableFromInline
  init() {}

  deinit { life.end() }

  /// Reports once, in debug builds, that two reads of the selector's inputs from one state were not equal.
  @usableFromInline
  func reportInputs(of selector: @autoclosure () -> Any.Type) {
    #if DEBUG
      guard !hasReported.exchange(true) else { return }
      Misuse.selectorInputsDiffer.report(about: "\(selector())")
    #endif
  }
}

/// A record of whether a selector still exists, for caches that keep the selector's output.
///
/// A weak reference would serve as well, but it gives the selector's identity a side table that refers back to the
/// identity by a masked address only: a leak checker would report each selector that is a `static let` as a leak.
final class SelectorLife: Sendable {
  private let isOverNow = AtomicFlag(false)

  /// `true` once all copies of the selector are gone.
  var isGone: Bool { isOverNow.loadRelaxed() }

  func end() {
    isOverNow.store(true)
  }
}
