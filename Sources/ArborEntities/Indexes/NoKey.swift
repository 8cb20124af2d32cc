/// The key that stands where there is none: then the order is that of the slots.
@usableFromInline
struct NoKey: Sendable {
  @inlinable
  init() {}
}
