extension Derived {
  /// Returns a value derived from this one. It is computed again only when this one changes.
  ///
  /// - Parameter project: Computes the new value from a value of this one. Called on the queue of this value's tree.
  public func derived<Other: Equatable & Sendable>(
    _ project: @escaping @Sendable (_ value: Value) -> Other
  ) -> Derived<Other> {
    derived(project, removeDuplicates: .equatable)
  }

  /// Returns a value derived from this one, with a comparison that decides when it has changed.
  ///
  /// - Use it for values that aren't `Equatable`.
  /// - Parameters:
  ///   - project: Computes the new value from a value of this one. Called on the queue of this value's tree.
  ///   - duplicates: A comparison. If it finds a new value equal to the previous one, the previous one stays.
  public func derived<Other: Sendable>(
    _ project: @escaping @Sendable (_ value: Value) -> Other,
    removeDuplicates duplicates: Equating<Other>
  ) -> Derived<Other> {
    .computed(from: self, on: core.tree, areEqual: duplicates.areEqual, compute: { [self] in project(value) })
  }

  /// Returns a tuple of several derived values, updated once per step, even in a step that changes several of them.
  ///
  /// - The tuple is computed in the tree of the first input that can change. Inputs of other trees are combined as they
  ///   arrive: if a step of another tree changes two inputs, they may arrive one after the other.
  /// - Parameter input: The derived values, in the order of the tuple.
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
    // Held by all inputs that can change: the core closes when the last of them has released it. If no input can
    // change, the value itself holds it.
    let token = ReleaseCallback { [weak core] in core?.close() }
    var isConstant = true
    var inputTrees: [Tree] = []
    // Constants are skipped: they never close, so they would hold the token as long as they live.
    for input in repeat each input {
      guard !input.isConstant else { continue }
      isConstant = false
      input.core.add(core, holding: token)
      inputTrees.appendPath(of: input.inputTrees + [input.core.tree])
    }
    if inputTrees.last === tree { inputTrees.removeLast() }
    core.invalidateIfOutdated()
    return Derived(core, [], kept: isConstant ? token : nil, isConstant: isConstant, inputTrees: inputTrees) {
      [creationOrder = core.creationOrder] in
      for input in repeat each input { input.core.remove(creationOrder) }
    }
  }
}

extension [Tree] {
  /// Appends trees that must be waited for in order, unless the trees already listed include them in that order.
  fileprivate mutating func appendPath(of trees: [Tree]) {
    var missing = trees[...]
    for tree in self where tree === missing.first { missing.removeFirst() }
    append(contentsOf: missing)
  }
}
