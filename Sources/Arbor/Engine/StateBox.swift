/// A node's own state, at an address, so that reducers change it in place and observers are lent it.
@usableFromInline
final class StateBox<State>: @unchecked Sendable {  // Touched on the tree's queue only.
  @usableFromInline
  let pointer: UnsafeMutablePointer<State>

  @inlinable
  init(_ state: State) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  /// The same state as a value that is lent and not copied; it has the layout of its one member.
  @inlinable
  var held: UnsafePointer<Held<State>> {
    UnsafeRawPointer(pointer).assumingMemoryBound(to: Held<State>.self)
  }

  @inlinable
  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
