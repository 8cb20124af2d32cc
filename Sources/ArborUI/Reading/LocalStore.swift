#if canImport(SwiftUI)
  public import Arbor
  public import SwiftUI

  /// A store that a view owns: made when the view appears first, and released with it.
  ///
  /// ```swift
  /// struct CounterView: View {
  ///   @LocalStore(StoreFactory(initialState: Counter(), feature: counter)) private var store
  ///   var body: some View { Button("\(store.count)") { store.dispatch(.increment) } }
  /// }
  /// ```
  ///
  /// - The store is made once for the view's identity, when it is used first, however often the view's value is made.
  /// - It may be a `StoreFactory`, with a tree of its own, or a `StoreObject`, a child of a store that the view is given:
  ///   `_store = LocalStore(parent.childStore(initialState: Draft(), stateMapping: { $1 }, feature: draft))`.
  /// - A child has a state as long as its parent has. While the parent is a scope that is nil, do not show the view.
  /// - `$store` makes bindings of a store of commits: `$store.name`. A store with actions makes them by
  ///   ``ScreenStore/binding(_:send:)``.
  @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
  @MainActor
  @propertyWrapper
  public struct LocalStore<State: Sendable, Action: Sendable>: DynamicProperty {
    /// The object that keeps the store. An observable object that never publishes: its view is not redrawn for it.
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

    /// Makes a store with a tree of its own.
    public init(_ factory: @autoclosure @escaping () -> StoreFactory<State, Action>) {
      _owner = StateObject(wrappedValue: Owner(factory()))
    }

    /// Makes a child of another store.
    public init(_ object: @autoclosure @escaping () -> StoreObject<State, Action>) {
      _owner = StateObject(wrappedValue: Owner(object()))
    }

    /// The store's state.
    public var wrappedValue: ObservableStore<State, Action> { owner.store }

    /// The store's state, for bindings.
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
