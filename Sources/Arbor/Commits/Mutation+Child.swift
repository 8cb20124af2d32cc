extension Mutation {
  /// Returns the mutation that represents a child's own mutation on its way up the tree: it has the same name and
  /// position, succeeds, and changes nothing.
  ///
  /// - It doesn't belong to a part of the parent's state.
  @usableFromInline
  func changingNothing<Parent>(of _: Parent.Type) -> Mutation<Parent> {
    Mutation<Parent>(origin, isAwaited ? .nothingAwaited : .nothing)
  }
}

extension Mutation {
  /// Makes the reducer with which a recording repeats changes, outside the store: it makes the change, and then calls
  /// the middleware.
  ///
  /// - A change that fails leaves the state unchanged. So does a change whose caller waited for it, because it can't be
  ///   repeated.
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
  /// Makes a write that succeeds and changes nothing.
  convenience init(changingNothingAwaited isAwaited: Bool, at target: MutationTarget?) {
    self.init(isAwaited: isAwaited, canFail: false, changesNothing: true, target: target) { _ in true }
  }

  /// A write that succeeds and changes nothing.
  fileprivate static let nothing = ConditionalWrite(changingNothingAwaited: false, at: nil)

  /// A write that succeeds and changes nothing, for a change whose caller of `commit` waits.
  fileprivate static let nothingAwaited = ConditionalWrite(changingNothingAwaited: true, at: nil)
}

extension Mutation: ChangeAction {
  package func replacing(_ other: Mutation) -> Mutation {
    let (isAwaited, canFail) = (isAwaited || other.isAwaited, canFail || other.canFail)
    guard isAwaited != self.isAwaited || canFail != self.canFail else { return self }
    let write = ConditionalWrite(
      isAwaited: isAwaited,
      canFail: canFail,
      changesNothing: changesNothing,
      target: target
    ) { [form] state in
      if state == nil, other.isAwaited {
        // If the part is nil, there is nothing to change. Calling the other change with nil notifies its waiting
        // caller.
        return other.form.write(to: nil)
      }
      guard canFail, let state = state?.assumingMemoryBound(to: State.self) else { return form.write(to: state) }
      let before = state.pointee
      let isMade = Tree.isMade { form.write(to: state) }
      if !isMade { state.pointee = before }
      return isMade
    }
    return Mutation(origin, write)
  }

  package var changesNothing: Bool {
    if case .conditional(let change) = form { change.changesNothing } else { false }
  }

  package static func failurePredicate<Changed, Action>(
    of action: Action.Type,
    in state: Changed.Type
  ) -> (@Sendable (Action) -> Bool)? {
    guard action == Mutation.self, state == State.self else { return nil }
    return { action in unsafeBitCast(action, to: Mutation.self).canFail }
  }
}
