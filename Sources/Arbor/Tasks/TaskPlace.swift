/// The place in a store's state whose tasks a call affects.
///
/// ```swift
/// store.cancel("load", at: .part(\.editor))
/// store.isRunning("load", at: .element(3, of: \.letters))
/// ```
///
/// - The tasks of a place belong to the ``Feature`` that is scoped to it, and to scopes of the same key path with their
///   own type of actions. A scope made with a function has no place.
/// - To reach a place inside an element, use an effect of the element's feature, or the scope of a table's record.
public struct TaskPlace<State>: Sendable {
  /// Nil for the store itself.
  let scope: ScopePlace?

  /// The store itself.
  public static var own: TaskPlace { TaskPlace(scope: nil) }

  /// Returns the place of a part of the state.
  ///
  /// - Parameter path: The key path that a feature or a store is scoped to.
  public static func part<Part>(_ path: any KeyPath<State, Part> & Sendable) -> TaskPlace {
    TaskPlace(scope: .part(path))
  }

  /// Returns the place of an element of a collection in the state.
  ///
  /// - Parameters:
  ///   - id: The id of the element.
  ///   - path: The key path of a collection whose elements have a feature, or of a table whose records have scopes.
  public static func element<Elements>(
    _ id: any Hashable & Sendable,
    of path: any KeyPath<State, Elements> & Sendable
  ) -> TaskPlace {
    TaskPlace(scope: .element(ElementPlace(id, in: path)))
  }
}
