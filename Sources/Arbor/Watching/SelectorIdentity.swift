internal import Synchronization

/// The identity of a selector: its copies share the object.
@usableFromInline
final class SelectorIdentity: Sendable {
  /// Unlike an address, a number is never another selector's later.
  @usableFromInline let number = Identity().number

  let life = SelectorLife()

  #if DEBUG
    private let hasReported = Atomic(false)
  #endif

  @usableFromInline
  init() {}

  deinit { life.end() }

  /// Says once, in debug builds, that what the selector read was not the state's alone.
  @usableFromInline
  func reportInputs(of selector: @autoclosure () -> Any.Type) {
    #if DEBUG
      guard !hasReported.exchange(true, ordering: .relaxed) else { return }
      Misuse.selectorInputsDiffer.report(about: "\(selector())")
    #endif
  }
}

/// `true` if anyone still has a selector, for those who remember what it gave.
///
/// A weak reference would tell as much, but it leaves a side table at the selector, which is known from there by a masked
/// address only: to a leak checker, each selector that is a `static let` would look like a leak.
final class SelectorLife: Sendable {
  private let isOverNow = Atomic(false)

  var isOver: Bool { isOverNow.load(ordering: .relaxed) }

  func end() {
    isOverNow.store(true, ordering: .relaxed)
  }
}
