/// A place in a tree where a feature works.
@usableFromInline
package struct FeaturePlace<State: Sendable, Action: Sendable>: Sendable {
  @usableFromInline
  package enum Site: Sendable {
    /// A node: its own state, and the sink and the error handler for the feature's effects.
    case node(StateBox<State>, ActionSink<Action>, onError: EffectErrorHandler<Action>?)

    /// A place that a capability describes in its own form, such as a part of a node's state.
    case other(any Sendable)

    /// A state outside a tree: only the feature's reducer is made, and may be called on any thread.
    case beside
  }

  @usableFromInline package let address: NodeAddress
  @usableFromInline package let site: Site

  @inlinable
  package init(at address: NodeAddress, _ site: Site) {
    self.address = address
    self.site = site
  }

  @inlinable package var isBeside: Bool { if case .beside = site { true } else { false } }
}
