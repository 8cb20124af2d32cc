/// A node's own state at a fixed memory address, so that reducers change it in place and observers borrow it.
@usableFromInline
final class StateBox<State>: @unchecked Sendable {  // Touched on the tree's queue only.
  /// The state as a value that is borrowed and not copied.
  @usableFromInline let borrowable: UnsafeMutablePointer<Borrowable<State>>

  @inlinable
  init(_ state: State) {
    borrowable = .allocate(capacity: 1)
    pointer.initialize(to: state)
  }

  /// The address of the state: that of ``borrowable``, whose only stored property is the state.
  @inlinable
  var pointer: UnsafeMutablePointer<State> {
    UnsafeMutableRawPointer(borrowable).assumingMemoryBound(to: State.self)
  }

  /// Makes a closure that reads the state on the tree's queue, after everything accepted before the read.
  @inlinable
  func read(on tree: Tree) -> @Sendable () -> State where State: Sendable {
    {
      var state: State?
      tree.wait(for: "state") { state = self.pointer.pointee }
      return state!
    }
  }

  /// Applies a change to the state.
  ///
  /// - Returns: `true` if the change was made.
  @inlinable
  @Sendable
  func write(with change: StateWrite) -> Bool {
    change(borrowable)
  }

  /// Runs reducers, and undoes what they change here if it turns out to be no step.
  ///
  /// - Parameter canFail: `false` if that cannot happen: then no copy of the state is made.
  /// - Returns: `true` if that is a step: `reduce` says so, and its mutations have not failed.
  @inlinable @inline(__always)
  func undoingFailure(if canFail: Bool, on tree: Tree, _ reduce: () -> Bool) -> Bool {
    let before = canFail ? pointer.pointee : nil
    let isStep = reduce() && tree.writeOutcome != .failed
    if let before, !isStep { pointer.pointee = before }
    return isStep
  }

  @inlinable
  deinit {
    pointer.deinitialize(count: 1)
    borrowable.deallocate()
  }
}

/// A value that can be read in place and is not copied by accident.
///
/// - A function that borrows it passes `value` on without a copy. A copyable value behind a pointer would be copied
///   first by the compiler, which retains each field that is a reference.
@usableFromInline
struct Borrowable<Value>: ~Copyable {
  @usableFromInline let value: Value
}

extension UnsafePointer {
  /// The same memory as a value that is borrowed and not copied.
  @inlinable
  var borrowable: UnsafePointer<Borrowable<Pointee>> {
    UnsafeRawPointer(self).assumingMemoryBound(to: Borrowable<Pointee>.self)
  }
}
