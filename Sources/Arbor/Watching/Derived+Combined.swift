extension Derived {
  /// A value made of this one; computed only when this one changes.
  public func derived<Other: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ value: Value) -> Other
  ) -> Derived<Other> {
    .computed(from: self, on: core.tree, areEqual: { $0 == $1 }, compute: { [self] in project(value) })
  }

  /// A value of several: all their values, which change together if one step changes several of them.
  ///
  /// - Of different trees, each is taken as it arrives: also two of one tree, if the first that can change is of another.
  public static func combined<each Input: Equatable & Sendable>(
    _ input: repeat Derived<each Input>
  ) -> Derived where Value == (repeat each Input) {
    // Where the first of them changes that can.
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
    let token = ReleaseCallback { [weak core] in core?.close() }
    var isConstant = true
    // A constant would hold the token for ever.
    for input in repeat each input {
      guard !input.isConstant else { continue }
      isConstant = false
      input.core.add(core, holding: token)
    }
    core.invalidateIfOutdated()
    return Derived(core, [], isConstant: isConstant) { [order = core.order] in
      for input in repeat each input { input.core.remove(order) }
    }
  }
}
