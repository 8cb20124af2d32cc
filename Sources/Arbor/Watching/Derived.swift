/// A value that is computed from a store's state, and updated in each step that may change it.
///
/// ```swift
/// let count = factory.derived(\.count)
/// let subscription = count.observe { count in print(count) }
/// ```
///
/// - You can read ``value`` at any time, from any thread. Observers are only notified if the value isn't equal to the
///   last one. They are called on the store's queue, unless their delivery names another one.
/// - In each step, all derived values are updated before any observer is called. So within the step, they agree with
///   ``StoreProtocol/state``. Observers of derived values are notified after the store's own observers, in the order
///   the derived values were made.
/// - A value combined from several others is computed once per step, when all its inputs are up to date: no observer
///   sees a mixture of old and new inputs. Inputs of different trees are combined as they arrive.
/// - In the interceptors and effects of a batch, values don't agree with each other. A value that you make there sees
///   the state in the middle of the batch; earlier values show the last step until the batch is done. Don't combine
///   them there.
/// - Making a derived value waits like ``StoreProtocol/state``: callbacks of two trees must not make values from each
///   other's stores.
/// - A derived value lives as long as you keep it, a subscription to it, or a value derived from it; the store doesn't
///   keep it alive. After the store's owner is released, it keeps its last value and no longer notifies observers.
/// - Cost: a call to its closure and a comparison in each step. It keeps up to three copies of the value, but no state.
/// - A chain of derived values uses stack when it is released: thousands in a row are fine, tens of thousands aren't.
public final class Derived<Value: Sendable>: StateSource, Sendable {
  let core: DerivedCore<Value>

  /// `true` if the value can never change.
  let isConstant: Bool

  /// The trees, except for its own, whose accepted work may still change the value; see ``AnyStateSource/inputTrees``.
  let inputTrees: [Tree]

  private let connections: [Connection]

  /// Removes the core from the inputs it is computed from; nil if the value comes from a store.
  private let removeFromInputs: (@Sendable () -> Void)?

  /// An object that is retained as long as this derived value lives.
  private let kept: (any AnyObject & Sendable)?

  /// The cache of the selector that computes the value; nil if no selector does.
  private nonisolated(unsafe) var selectors: SelectorCache?  // Set once, before the value is shared.

  @usableFromInline
  package init(
    _ core: DerivedCore<Value>,
    _ connections: [Connection?],
    kept: (any AnyObject & Sendable)? = nil,
    isConstant: Bool = false,
    inputTrees: [Tree] = [],
    removeFromInputs: (@Sendable () -> Void)? = nil
  ) {
    self.removeFromInputs = removeFromInputs
    self.core = core
    self.kept = kept
    self.connections = connections.compactMap(\.self)
    self.isConstant = isConstant
    self.inputTrees = inputTrees
  }

  /// Sets the selector cache that computes the value, and returns this derived value.
  func reading(_ selectors: SelectorCache) -> Derived {
    self.selectors = selectors
    return self
  }

  /// Returns the number of times a selector was computed for this value.
  package func recomputationCount<State, Output>(of selector: StateSelector<State, Output>) -> Int {
    guard let selectors else { return 0 }
    var count = 0
    core.tree.wait(for: "recomputations") { count = selectors.recomputations(of: selector.identity) }
    return count
  }

  /// The value after its last update, read from any thread without waiting.
  ///
  /// - It may be older than ``StoreProtocol/state``, which waits for accepted actions; this property doesn't.
  public var value: Value { core.value }

  /// A sequence of the values, starting with the current one; a slow consumer gets the newest.
  public var values: StateSequence<Value> { states }

  /// The value as a type-erased source; its subscriptions keep the value alive.
  public var asStateSource: AnyStateSource<Value> {
    guard isConstant else {
      return AnyStateSource(of: core.address) { audience in ValueAudience<Value>.of(audience!).value }
        .keeping(self, isConstant: false, inputTrees: inputTrees)
    }
    return AnyStateSource(of: core.address) { [value] _ in value }.keeping(self, isConstant: true)
  }

  /// Returns a derived value that never changes.
  ///
  /// - Parameter value: The value, which stays the same.
  public static func constant(_ value: Value) -> Derived {
    Derived(DerivedCore(value, on: Tree()), [], isConstant: true)
  }

  deinit {
    for connection in connections { connection.end() }
    removeFromInputs?()
    core.close()
    // Called last, after everything that a running step could use to reach the core.
    core.tree.keepUntilStepEnds(core)
  }
}
