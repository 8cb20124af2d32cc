/// A node's own state, at an address, so that reducers change it in place.
@usableFromInline
final class StateBox<State>: @unchecked Sendable {  // Touched on the tree's queue only.
  @usableFromInline
  let pointer: UnsafeMutablePointer<Held<State>>

  @inlinable
  init(_ state: State) {
    pointer = .allocate(capacity: 1)
    pointer.initialize(to: Held(state))
  }

  @inlinable
  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}
