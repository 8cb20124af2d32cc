/// A record in its slot, with the stamp of its last change.
@usableFromInline
struct Record<Element: Sendable>: Sendable {
  @usableFromInline var stamp: ChangeStamp
  @usableFromInline var element: Element

  @inlinable
  init(_ element: Element, stamp: ChangeStamp) {
    self.stamp = stamp
    self.element = element
  }
}
