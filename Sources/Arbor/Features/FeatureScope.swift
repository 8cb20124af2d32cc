#if DEBUG
  public import Synchronization
#endif

/// A scoped feature at work: the parts of the state, and the slot with the action that the running action contains.
@usableFromInline
package final class FeatureScope<Parts: ScopedParts>: @unchecked Sendable {
  // Sendable because what varies is used on the tree's queue only, or is atomic.

  @usableFromInline typealias Whole = Parts.Whole
  @usableFromInline typealias WholeAction = Parts.WholeAction
  @usableFromInline typealias Part = Parts.Part
  @usableFromInline typealias PartAction = Parts.PartAction

  @usableFromInline let parts: Parts
  @usableFromInline let tree: Tree

  /// What the running action contains for a part, from the first question on until the last function has taken it.
  @usableFromInline
  @exclusivity(unchecked)
  var slot: (id: Parts.ID, action: PartAction)?

  /// The form of the running action from which ``slot`` was extracted; see ``Tree/actionForm``.
  @usableFromInline
  @exclusivity(unchecked)
  var extractedForm: UInt64 = 0

  /// The effects that the running action requests of the combination in which the feature is, and the feature's position
  /// there; nil outside combinations.
  @usableFromInline
  @exclusivity(unchecked)
  var requests: (range: RequestedEffects, position: Int)?

  /// `true` if the part may be exchanged for another, which has another id.
  @usableFromInline let isExchangeable: Bool

  /// The id of the part that has reduced the running action; nil if it cannot be exchanged.
  @usableFromInline
  @exclusivity(unchecked)
  var reducedID: AnyHashable?

  #if DEBUG
    /// `true` once an action was embedded and extracted again.
    @usableFromInline let isChecked = Atomic(false)
  #endif

  @inlinable
  init(_ parts: Parts, on tree: Tree) {
    self.parts = parts
    self.tree = tree
    isExchangeable = parts.mayBeMissing && parts.onlyID != nil && Part.self is any Identifiable.Type
  }

  /// The id of a part; nil if it has none.
  @inlinable
  static func id(of part: Part) -> AnyHashable? { (part as? any Identifiable)?.anyID }

  /// Wraps an action of a part. From any thread.
  @inlinable
  func embed(_ action: PartAction, _ id: Parts.ID) -> WholeAction {
    let embedded = parts.embed(action, id)
    #if DEBUG
      if !isChecked.exchange(true, ordering: .relaxed), parts.extract(embedded) == nil {
        Misuse.embeddingWhatIsNotExtracted.stop(about: String(describing: PartAction.self))
      }
    #endif
    return embedded
  }

  /// Fills the slot from an action, unless it was filled from the same form of it. Returns `true` if it has an action.
  ///
  /// - Parameter parts: This scope's. A closure that has captured them passes them, because a call of a function that is
  ///   stored in an object retains it.
  @inlinable @inline(__always)
  func fillSlot(from action: WholeAction, _ parts: Parts) -> Bool {
    if extractedForm != tree.actionForm {
      slot = parts.extract(action).map(Parts.idAndAction(of:))
      extractedForm = tree.actionForm
    }
    return slot != nil
  }

  /// Makes the functions of the feature in the larger state, to which the scope belongs.
  @inlinable
  func functions(
    of inner: FeatureFunctions<Part, PartAction>,
    in outer: FeaturePlace<Whole, WholeAction>
  ) -> FeatureFunctions<Whole, WholeAction> {
    guard inner.makePass != nil || inner.effects != nil else {
      let reducer = inner.reducerBesideTree
      return FeatureFunctions(
        reducer: makeReducer(reducer),
        makeReducerFollowedBy: { [self] next in makeReducer(reducer, followedBy: next) },
        makePass: nil,
        effects: nil
      )
    }
    let reducer =
      inner.makePass == nil
      ? makeRequestingReducer(inner.reducer)
      : makeReducer(inner.reducer, keepsAction: inner.effects != nil, discard: inner.discard)
    return FeatureFunctions(
      reducer: reducer,
      recordedReducer: outer.isRecorded ? makeReducer(inner.reducerBesideTree) : nil,
      makePass: makePass(by: inner.makePass),
      effects: makeEffects(inner.effects, in: outer.state, discard: inner.discard),
      discard: { [self, discard = inner.discard] in
        slot = nil
        discard?()
      }
    )
  }

  /// The maker of the interceptors of the larger state. Actions of other features pass, and so do the feature's own while
  /// its part is missing.
  @inlinable
  func makePass(
    by makePass: FeatureFunctions<Part, PartAction>.MakePass?
  ) -> FeatureFunctions<Whole, WholeAction>.MakePass? {
    guard let makePass else { return nil }
    return { [self, parts] dispatch, whole in
      @Sendable func pass(_ id: Parts.ID) -> (read: @Sendable () -> Part?, run: InterceptorChain<PartAction>.Pass)? {
        let readPart = { @Sendable [read = whole.read] in read().flatMap { parts.part(id, of: $0) } }
        let state = whole.part(mayBeMissing: parts.mayBeMissing, reading: readPart)
        return state.map { (readPart, makePass({ [self] action in dispatch(embed(action, id)) }, $0)) }
      }
      // One part that always exists has one function for all actions.
      if !parts.mayBeMissing, whole.current == nil, let id = parts.onlyID, let pass = pass(id) {
        return { [self] action in !fillSlot(from: action, parts) || intercept(&action, id, pass.read, pass.run) }
      }
      return { [self] action in
        guard fillSlot(from: action, parts), let id = slot?.id, let pass = pass(id) else { return true }
        return intercept(&action, id, pass.read, pass.run)
      }
    }
  }

  /// Runs the interceptors of a part on the action in the slot. Returns `false` if one drops it.
  @inlinable
  func intercept(
    _ action: inout WholeAction,
    _ id: Parts.ID,
    _ read: @escaping @Sendable () -> Part?,
    _ pass: InterceptorChain<PartAction>.Pass
  ) -> Bool {
    guard pass(&slot!.action) else {
      let part = slot!.action
      Tree.wrapHeld { [self] (pass: InterceptorChain<PartAction>.Pass, action: inout WholeAction) in
        var part = part
        // The part may have gone while the action was held: then it passes the interceptors that are left.
        guard read() == nil || pass(&part) else { return false }
        action = embed(part, id)
        return true
      }
      return false
    }
    if extractedForm != tree.actionForm {
      action = embed(slot!.action, id)
      extractedForm = tree.actionForm
    }
    return true
  }

  /// Makes the effects of the larger state.
  ///
  /// - They are not asked if the part was exchanged behind its reducer, in the same step.
  /// - Parameters:
  ///   - outer: The larger state.
  ///   - discard: Lets go of what the feature's own parts have kept, if they are not asked.
  @inlinable
  func makeEffects(
    _ effects: FeatureEffects<PartAction>?,
    in outer: StateAccess<Whole>,
    discard: (@Sendable () -> Void)?
  ) -> FeatureEffects<WholeAction>? {
    guard let effects else { return nil }
    let perform: @Sendable (WholeAction, ElementKey?, EffectGroup?) -> Void = { [self] _, key, group in
      guard slot != nil, let (id, action) = slot.take() else {
        effects.update?()
        return
      }
      guard !isExchangeable || isReducedPart(id, in: outer, key) else {
        discard?()
        effects.update?()
        return
      }
      effects.perform(action, parts.key(id, in: key), group)
    }
    guard effects.update == nil else {
      return FeatureEffects(begin: effects.begin, perform: perform, update: effects.update)
    }
    return FeatureEffects(begin: effects.begin, perform: perform, update: nil) { [self] in requests = ($0, $1) }
  }

  /// `true` if the part is still the one that has reduced the running action.
  ///
  /// - Parameter outer: The larger state. The scope does not keep it: contexts and tasks keep the scope.
  @usableFromInline
  func isReducedPart(_ id: Parts.ID, in outer: StateAccess<Whole>, _ key: ElementKey?) -> Bool {
    let reduced = reducedID.take()
    var isSame = false
    outer.read(key) { whole in
      parts.read(id, of: whole) { part in isSame = FeatureScope.id(of: part.pointee) == reduced }
    }
    return isSame
  }
}
