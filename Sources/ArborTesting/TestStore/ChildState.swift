/// The view of a child store: the state of the store above it, and its own.
public struct ChildState<Parent: Sendable, Local: Sendable>: Sendable {
  /// The state of the store above.
  public var parent: Parent

  /// The child's own state.
  public var local: Local

  /// Makes one of both.
  ///
  /// - Parameters:
  ///   - parent: The state of the store above.
  ///   - local: The child's own state.
  public init(parent: Parent, local: Local) {
    self.parent = parent
    self.local = local
  }
}

extension ChildState: Equatable where Parent: Equatable, Local: Equatable {}
extension ChildState: Hashable where Parent: Hashable, Local: Hashable {}
