/// A place in a store's state, whose tasks a call is about.
///
/// ```swift
/// store.cancel("load", at: .part(\.editor))
/// store.isRunning("load", at: .element(3, of: \.letters))
/// ```
///
/// - The tasks of a place are those of the ``Feature`` that is scoped to it, and of the scopes with their own type of
///   actions that are made of it.
/// - A place within an element is reached from the element: by an effect of the element's feature or, if the element is a
///   record of a table, by its scope.
public struct TaskPlace<State>: Sendable {
  @usableFromInline let scope: ScopePlace?

  /// The store itself or, in an effect, the feature that declares it.
  public static var own: TaskPlace { TaskPlace(scope: nil) }

  /// A part of the state.
  ///
  /// - Parameter path: The key path to which a feature or a store is scoped.
  public static func part<Part>(_ path: any KeyPath<State, Part> & Sendable) -> TaskPlace {
    TaskPlace(scope: .part(path))
  }

  /// An element of a collection in the state.
  ///
  /// - Parameters:
  ///   - id: The id of an element, or its index in an array whose elements have none.
  ///   - path: The key path of a collection whose elements have a feature, or of a table of whose record a store is
  ///     scoped.
  public static func element<Elements>(
    _ id: any Hashable & Sendable,
    of path: any KeyPath<State, Elements> & Sendable
  ) -> TaskPlace {
    TaskPlace(scope: .element(ElementPlace(id, in: path)))
  }
}
