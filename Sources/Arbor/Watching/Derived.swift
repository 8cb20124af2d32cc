/// A value computed from a store's state: when it is made, and again in each step that may change it.
///
/// ```swift
/// let count = factory.derived(\.count)
/// let subscription = count.observe { count in print(count) }
/// ```
///
/// - ``value`` can be read at any time, from any thread. Observers are notified on the store's queue, unless their
///   delivery names another one, and only if the value is not equal to the last one.
/// - In each step all derived values are updated before any observer is called, so within the step they agree with
///   ``StoreProtocol/state``. Observers of derived values are notified after the store's own observers, in the order in
///   which the derived values were made.
/// - A value combined from several others is computed once per step, when all its inputs are up to date: no observer
///   sees a mixture of old and new inputs. Inputs of different trees are combined as they arrive.
/// - In the interceptors and effects of a batch, values do not agree with each other: a value made there sees the state
///   in the middle of the batch, and values made before show the last step until the batch is done. Do not combine them
///   there.
/// - Making a derived value waits as ``StoreProtocol/state`` does: callbacks of two trees must not make values from
///   each other's stores.
/// - A derived value lives as long as it is referred to, or a subscription to it or a value derived from it is kept;
///   the store does not keep it alive. Once the store's owner is released, it keeps its last value and notifies no
///   observer any more.
/// - Cost: a call of its closure and a comparison in each step; it keeps up to three copies of the value, and no state.
/// - A chain of derived values uses stack when it is released: thousands in a row are fine, tens of thousands are not.
public final class Derived<Value: Sendable>: StateSource, Sendable {
  let core: DerivedCore<Value>

  /// `true` if the value can never change.
  let isConstant: Bool

  /// The trees whose accepted work may still change the value, except its own; see ``AnyStateSource/inputTrees``.
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

  /// Sets the selector cache that the value is computed with, and returns this derived value.
  func reading(_ selectors: SelectorCache) -> Derived {
    self.selectors = selectors
    return self
  }

  /// The number of times a selector was computed for this value.
  package func recomputationCount<State, Output>(of selector: StateSelector<State, Output>) -> Int {
    guard let selectors else { return 0 }
    var count = 0
    core.tree.wait(for: "recomputations") { count = selectors.recomputations(of: selector.identity) }
    return count
  }

  /// The value after its last update; from any thread, without waiting.
  ///
  /// - It may be older than ``StoreProtocol/state``, which waits for accepted actions; this does not include them.
  public var value: Value { core.value }

  /// The values from the current one on; a slow consumer gets the newest.
  public var values: StateSequence<Value> { states }

  /// The value as a type-erased source; its subscriptions keep the value alive.
  public var asStateSource: AnyStateSource<Value> {
    guard isConstant else {
      return AnyStateSource(of: core.address) { audience in ValueAudience<Value>.of(audience!).value }
        .keeping(self, isConstant: false, inputTrees: inputTrees)
    }
    return AnyStateSource(of: core.address) { [value] _ in value }.keeping(self, isConstant: true)
  }

  /// A value that never changes.
  ///
  /// - Parameter value: The value that it always has.
  public static func constant(_ value: Value) -> Derived {
    Derived(DerivedCore(value, on: Tree()), [], isConstant: true)
  }

  deinit {
    for connection in connections { connection.end() }
    removeFromInputs?()
    core.close()
    // Last: after everything through which a running step could still reach the core.
    core.tree.keepUntilStepEnds(core)
  }
}
