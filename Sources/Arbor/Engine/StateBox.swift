/// A node's own state, at an address, so that reducers change it in place and observers are lent it.
@usableFromInline
final class StateBox<State>: @unchecked Sendable {  // Touched on the tree's queue only.
  /// The state as a value that is lent and not copied.
  @usableFromInline let held: UnsafeMutablePointer<Borrowable<State>>

  @inlinable
  init(_ state: State) {
    held = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  /// The state, which is the one member of what is held and has its address.
  @inlinable
  var pointer: UnsafeMutablePointer<State> {
    UnsafeMutableRawPointer(held).assumingMemoryBound(to: State.self)
  }

  /// Reads the state on a tree's queue.
  @inlinable
  func read(on tree: Tree) -> @Sendable () -> State where State: Sendable {
    {
      var state: State?
      tree.wait(for: "state") { state = self.pointer.pointee }
      return state!
    }
  }

  /// Lets a change be made here.
  @inlinable
  @Sendable
  func write(with change: StateWrite) -> Bool {
    change(held)
  }

  @inlinable
  deinit {
    pointer.deinitialize(count: 1)
    held.deallocate()
  }
}

/// A value that can be looked at where it is, but not copied by accident.
///
/// Whoever is lent one passes the value on as it is. Of a copyable value behind a pointer the compiler makes a copy first,
/// which counts a reference for each of its fields.
@usableFromInline
struct Borrowable<Value>: ~Copyable {
  @usableFromInline let value: Value
}
