/// A node's own state, without its type.
@usableFromInline
package class AnyStateBox: @unchecked Sendable {  // Only used on the tree's queue.
  /// The address of the state.
  @usableFromInline final let memory: UnsafeMutableRawPointer

  @inlinable
  init(at memory: UnsafeMutableRawPointer) {
    self.memory = memory
  }

  /// A copy of the state.
  var anyState: any Sendable { () }

  /// Returns a closure that restores the present state.
  @usableFromInline
  func restoring() -> () -> Void { {} }

  /// Applies a change to the state.
  ///
  /// - Returns: `true` if the change was made.
  @inlinable
  final func write(with change: StateWrite) -> Bool {
    change(memory)
  }
}

/// A node's own state at a fixed memory address, so that reducers change it in place and observers borrow it.
@usableFromInline
package final class StateBox<State: Sendable>: AnyStateBox, @unchecked Sendable {  // Like its superclass.
  @inlinable
  package init(_ state: State) {
    let pointer = UnsafeMutablePointer<State>.allocate(capacity: 1)
    pointer.initialize(to: state)
    super.init(at: pointer)
  }

  @inlinable package var pointer: UnsafeMutablePointer<State> { memory.assumingMemoryBound(to: State.self) }

  /// The state as a value that is borrowed, not copied.
  @inlinable package var borrowable: UnsafeMutablePointer<Borrowable<State>> {
    memory.assumingMemoryBound(to: Borrowable<State>.self)
  }

  override var anyState: any Sendable { pointer.pointee }

  @usableFromInline
  override func restoring() -> () -> Void {
    { [pointer, state = pointer.pointee] in pointer.pointee = state }
  }

  /// Makes a closure that reads the state on the tree's queue, after everything accepted before the read.
  @inlinable
  func read(on tree: Tree) -> @Sendable () -> State {
    {
      var state: State?
      tree.wait(for: "state") { state = self.pointer.pointee }
      return state!
    }
  }

  /// Makes the function that reduces an action in this state with a reducer.
  @inlinable
  func reducing<Action>(by reducer: @escaping Reducer<State, Action>) -> @Sendable (Action) -> Bool {
    { action in
      reducer(&self.pointer.pointee, action)
      return true
    }
  }

  @inlinable
  deinit {
    pointer.deinitialize(count: 1)
    pointer.deallocate()
  }
}

/// Makes the function that reduces an action in a node's own state. The function returns `false` if the action is a
/// change that wasn't made. Nil if there is nothing to reduce.
@usableFromInline package typealias MakeReduce<State: Sendable, Action: Sendable> =
  (Reducer<State, Action>?, StateBox<State>, Tree) -> (@Sendable (Action) -> Bool)?

/// A value that can be read in place and isn't copied by accident.
///
/// - A function that borrows it passes `value` on without a copy. If a copyable value is read through a pointer, the
///   compiler copies it first, and so retains each field that is a reference.
@usableFromInline
package struct Borrowable<Value>: ~Copyable {
  @usableFromInline package let value: Value
}

extension UnsafePointer {
  /// The same memory as a value that is borrowed, not copied.
  @inlinable
  package var borrowable: UnsafePointer<Borrowable<Pointee>> {
    UnsafeRawPointer(self).assumingMemoryBound(to: Borrowable<Pointee>.self)
  }
}
