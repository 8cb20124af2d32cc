extension Derived {
  /// A value derived from this one, computed again only when this one changes.
  public func derived<Other: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ value: Value) -> Other
  ) -> Derived<Other> {
    .computed(from: self, on: core.tree, areEqual: { $0 == $1 }, compute: { [self] in project(value) })
  }

  /// A tuple of several derived values, updated once per step, even in a step that changes several of them.
  ///
  /// - The tuple is computed in the tree of the first input that can change. Inputs of other trees are taken as they
  ///   arrive: if a step of another tree changes two inputs, they may arrive one after the other.
  public static func combined<each Input: Equatable & Sendable>(
    _ input: repeat Derived<each Input>
  ) -> Derived where Value == (repeat each Input) {
    // The tree of the first input that can change.
    var home: Tree?
    for input in repeat each input {
      if home == nil, !input.isConstant { home = input.core.tree }
    }
    return .computed(from: repeat each input, on: home ?? Tree()) { old, new in
      for (old, new) in repeat (each old, each new) {
        guard old == new else { return false }
      }
      return true
    } compute: {
      (repeat (each input).value)
    }
  }

  static func computed<each Input>(
    from input: repeat Derived<each Input>,
    on tree: Tree,
    areEqual: @escaping @Sendable (Value, Value) -> Bool,
    compute: @escaping @Sendable () -> Value
  ) -> Derived {
    let core = DerivedCore(
      on: tree,
      DerivedCore<Value>.Computation(compute: compute, areEqual: areEqual) {
        var version: UInt64 = 0
        for input in repeat each input { version += input.core.version }
        return version
      }
    )
    // Held by all inputs that can change: the core closes when the last of them has released it. If none can, the value
    // itself holds it.
    let token = ReleaseCallback { [weak core] in core?.close() }
    var isConstant = true
    // Constants are skipped: they never close, so they would hold the token as long as they live.
    for input in repeat each input {
      guard !input.isConstant else { continue }
      isConstant = false
      input.core.add(core, holding: token)
    }
    core.invalidateIfOutdated()
    return Derived(core, [], kept: isConstant ? token : nil, isConstant: isConstant) {
      [creationOrder = core.creationOrder] in
      for input in repeat each input { input.core.remove(creationOrder) }
    }
  }
}
