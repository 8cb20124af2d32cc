/// A value that follows a store's state: computed when it is made, and again with each step that may change it.
///
/// ```swift
/// let count = factory.derived(\.count)
/// let subscription = count.observe { count in print(count) }
/// ```
///
/// - ``value`` is there at any time, from any thread. Those who observe it are told on the store's queue, and only if it is
///   not equal to the last one.
/// - In each step all values are brought up to date before any observer is called, and so agree with ``StoreProtocol/state`` in it. Those who
///   observe them are told behind the store's own observers, in the order in which the values were made.
/// - A step that changes several values of which another one is made computes that one once, when all are up to date: no
///   mixture of old and new is ever seen. Values of different trees are combined as each arrives.
/// - In the middle of a batch, in its interceptors and effects, there is no step that the values could agree with: one that is made
///   there sees the state as it is, and those made before show the last step until the batch is done. So do not combine them there.
/// - To make one waits as ``StoreProtocol/state`` does: two trees must not make values of each other in their callbacks.
/// - It lives as long as somebody holds it, or a subscription or a derived value made of it; the store does not keep it
///   alive. When the store's owner goes, it keeps its last value and is silent.
/// - Cost: a call of its closure and a comparison in each step; it keeps up to three copies of the value, and no state.
/// - Derived values of derived values cost stack when they are released: thousands in a row are fine, not tens of thousands.
public final class Derived<Value: Sendable>: StateSource, Sendable {
  let core: DerivedCore<Value>

  /// `true` if it never changes.
  let isConstant: Bool

  private let connections: [Connection]

  /// Leaves the values that it is computed from; nil if a store gives it.
  private let leaveInputs: (@Sendable () -> Void)?

  /// An object that lives as long as this does.
  private let kept: (any AnyObject & Sendable)?

  /// The memory of the selector of which the value is made, if it is made of one.
  private nonisolated(unsafe) var selectors: SelectorCache?  // Set before anyone else has the value.

  @usableFromInline
  init(
    _ core: DerivedCore<Value>,
    _ connections: [Connection?],
    kept: (any AnyObject & Sendable)? = nil,
    isConstant: Bool = false,
    leaveInputs: (@Sendable () -> Void)? = nil
  ) {
    self.leaveInputs = leaveInputs
    self.core = core
    self.kept = kept
    self.connections = connections.compactMap(\.self)
    self.isConstant = isConstant
  }

  /// The same value, for which selectors are remembered.
  func reading(_ selectors: SelectorCache) -> Derived {
    self.selectors = selectors
    return self
  }

  /// How often a selector was computed for this value.
  package func recomputationCount<State, Output>(of selector: StateSelector<State, Output>) -> Int {
    guard let selectors else { return 0 }
    var count = 0
    core.tree.wait(for: "recomputations") { count = selectors.recomputations(of: selector.identity) }
    return count
  }

  /// The value as the last step has left it. From any thread, at once.
  ///
  /// - What still waits is not in it: it may be older than the ``StoreProtocol/state``, which waits for that.
  public var value: Value { core.value }

  /// The values from the current one on, the newest one waiting for the task that takes them.
  public var values: StateSequence<Value> { states }

  /// The value as a source of whatever type. Whoever subscribes keeps it alive.
  public var asStateSource: AnyStateSource<Value> {
    let source = AnyStateSource<Value>(of: core.address) { core in
      unsafeDowncast(core!, to: DerivedCore<Value>.self).value
    }
    // Nothing would ever end the subscription that keeps a constant.
    return source.keeping(self, isKeptForGood: !isConstant)
  }

  /// A value that never changes.
  public static func constant(_ value: Value) -> Derived {
    Derived(DerivedCore(value, on: Tree()), [], isConstant: true)
  }

  deinit {
    for connection in connections { connection.end() }
    leaveInputs?()
    core.close()
    // Behind all by which a step could come to it.
    core.tree.keepUntilStepEnds(core)
  }
}
