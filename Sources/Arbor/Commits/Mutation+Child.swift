extension Mutation {
  /// The mutation by which a child's own mutation goes up the tree: it has the same name and position, takes place, and
  /// changes nothing.
  ///
  /// - It belongs to no part of the parent's state.
  @usableFromInline
  func changingNothing<Parent>(of _: Parent.Type) -> Mutation<Parent> {
    Mutation<Parent>(origin, isAwaited ? .nothingAwaited : .nothing)
  }

  /// Makes the function that reduces the mutations of a child's own state: the child's change, its middleware, and then
  /// the ancestors' reducers.
  ///
  /// - A change that does not take place reaches neither the middleware nor an ancestor, and is no step.
  /// - If an ancestor has replaced the mutation by one that fails, it is no step, either, and the child's change is undone;
  ///   a caller who waits for that change has lost it, which stops the program.
  @inlinable
  static func makeReduce(
    _ middleware: Reducer<State, Mutation>?,
    _ box: StateBox<State>,
    below ancestors: Ancestors<Mutation>,
    on tree: Tree
  ) -> @Sendable (Mutation) -> Bool {
    { [reduce = ancestors.reduce, canAncestorsFail = ancestors.canFail] mutation in
      let canAncestorFail = canAncestorsFail?(mutation) == true
      return box.undoingFailure(if: canAncestorFail, on: tree) {
        guard mutation.change(box, on: tree) else { return false }
        middleware?(&box.pointer.pointee, mutation)
        // A mutation within an ancestor's action then fails beside one that was made.
        if !canAncestorFail { tree.writeOutcome = .made }
        let isStep = reduce(mutation) && tree.writeOutcome != .failed
        if !isStep, mutation.isAwaited { Misuse.droppingCommit.stop() }
        return isStep
      }
    }
  }

  /// Makes the function that answers whether a mutation of a child's own state may turn out to be no step.
  @inlinable
  static func makeCanFail(below ancestors: Ancestors<Mutation>) -> @Sendable (Mutation) -> Bool {
    { [canAncestorsFail = ancestors.canFail] mutation in mutation.canFail || canAncestorsFail?(mutation) == true }
  }
}

extension Mutation {
  /// Makes the reducer by which a recording makes changes again, beside the store: the change, and then the middleware.
  ///
  /// - A change that fails leaves the state as it was, and so does one whose caller has waited for it, which nobody can
  ///   make again.
  @usableFromInline
  static func reducerBesideTree(_ middleware: Reducer<State, Mutation>?) -> Reducer<State, Mutation> {
    { state, mutation in
      if case .conditional(let change) = mutation.form, change.isAwaited, !change.changesNothing { return }
      let before = mutation.canFail ? state : nil
      if mutation.change(&state) {
        middleware?(&state, mutation)
      } else if let before {
        state = before
      }
    }
  }
}

extension ConditionalWrite {
  /// Makes a write that takes place and changes nothing.
  convenience init(changingNothingAwaited isAwaited: Bool, at target: MutationTarget?) {
    self.init(isAwaited: isAwaited, canFail: false, changesNothing: true, target: target) { _ in true }
  }

  /// A write that takes place and changes nothing.
  fileprivate static let nothing = ConditionalWrite(changingNothingAwaited: false, at: nil)

  /// The same, for a change for which a caller of `commit` waits.
  fileprivate static let nothingAwaited = ConditionalWrite(changingNothingAwaited: true, at: nil)
}

extension Mutation: ChangeAction {
  package var changesNothing: Bool {
    if case .conditional(let change) = form { change.changesNothing } else { false }
  }
}
