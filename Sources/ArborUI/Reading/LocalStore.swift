#if canImport(SwiftUI)
  public import Arbor
  public import SwiftUI

  /// A store that a view owns: created when the view first appears, and released with the view.
  ///
  /// ```swift
  /// struct CounterView: View {
  ///   @LocalStore(StoreFactory(initialState: Counter(), feature: counter)) private var store
  ///   var body: some View { Button("\(store.count)") { store.dispatch(.increment) } }
  /// }
  /// ```
  ///
  /// - The store is created once for the view's identity, on first use, no matter how often the view's value is
  ///   created.
  /// - Pass a `StoreFactory` for a separate tree, or a `StoreObject` for a child of a store that the view receives:
  ///   `_store = LocalStore(parent.childStore(initialState: Draft(), stateMapping: { $1 }, feature: draft))`.
  /// - A child has a state only while its parent has one. Do not show the view while its parent is a scope that is nil.
  /// - If the store's actions are commits, `$store` makes bindings: `$store.name`. For other actions, use
  ///   ``ScreenStore/binding(_:send:)``.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  @propertyWrapper
  public struct LocalStore<State: Sendable, Action: Sendable>: DynamicProperty {
    /// The object that keeps the store. It never publishes, so its view is never redrawn because of it.
    @MainActor
    final class Owner: ObservableObject {
      private let owner: any StoreProtocol<State, Action>
      let store: ObservableStore<State, Action>

      init(_ owner: some StoreProtocol<State, Action>) {
        self.owner = owner
        guard let store = owner.observable() else { Misuse.showingWithoutState.stop() }
        self.store = store
      }
    }

    @StateObject var owner: Owner

    /// Creates a store with its own tree.
    ///
    /// - Parameter factory: Makes the factory; called once, when the view appears.
    public init(_ factory: @autoclosure @escaping () -> StoreFactory<State, Action>) {
      _owner = StateObject(wrappedValue: Owner(factory()))
    }

    /// Creates a child of another store.
    ///
    /// - Parameter object: Makes the child; called once, when the view appears.
    public init(_ object: @autoclosure @escaping () -> StoreObject<State, Action>) {
      _owner = StateObject(wrappedValue: Owner(object()))
    }

    /// The store that the view owns, for reading its state and dispatching actions.
    public var wrappedValue: ObservableStore<State, Action> { owner.store }

    /// Bindings to parts of the store's state, such as `$store.name`.
    public var projectedValue: Bindable<ObservableStore<State, Action>> { Bindable(owner.store) }
  }

  extension Misuse {
    fileprivate static let showingWithoutState = Misuse(
      """
      A view with a @LocalStore was shown, but its child store has no state: the scope of the child's parent is nil, \
      the parent's owner was released, or the parent is closure-backed. Show the view only while the parent has a \
      state.
      """,
      call: "LocalStore"
    )
  }
#endif
