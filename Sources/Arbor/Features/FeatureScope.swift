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

  #if DEBUG
    /// `true` once an action was embedded and extracted again.
    @usableFromInline let isChecked = Atomic(false)
  #endif

  @inlinable
  init(_ parts: Parts, on tree: Tree) {
    self.parts = parts
    self.tree = tree
  }

  /// The place of the scoped feature, given that of the larger one.
  @inlinable
  func place(in outer: FeaturePlace<Whole, WholeAction>) -> FeaturePlace<Part, PartAction> {
    let parts = parts
    let state = PartAccess<Part>(
      read: { key, body in
        let (id, key) = parts.split(key)
        outer.state.read(key) { whole in parts.read(id, of: whole, body) }
      },
      readEach: { body in
        outer.state.readEach { whole, key in
          parts.readEach(of: whole) { id, part in body(part, parts.key(id, in: key)) }
        }
      },
      identity: makeIdentity(in: outer.state),
      identities: makeIdentities(in: outer.state)
    )
    return FeaturePlace(at: outer.address, .parts(state), makeTargets(in: outer.targets))
  }

  @inlinable
  func makeTargets(in outer: EffectTargets<WholeAction>) -> EffectTargets<PartAction> {
    let makeTarget: @Sendable (EffectTarget<WholeAction>, Parts.ID) -> EffectTarget<PartAction> = { [self] whole, id in
      let sink = ScopeSink<WholeAction, PartAction>(
        in: whole.sink,
        embed: { self.embed($0, id) },
        commit: nil,
        presences: [],
        place: parts.place(id)
      )
      return EffectTarget(sink) { key, action, error in
        whole.onEffectError(key, action.map { self.embed($0, id) }, error)
      }
    }
    if case .one(let whole) = outer, let id = parts.onlyID { return .one(makeTarget(whole, id)) }
    return .each { [parts] key in
      let (id, key) = parts.split(key)
      return makeTarget(outer.target(of: key), id)
    }
  }

  @inlinable
  func makeIdentity(in outer: StateAccess<Whole>) -> (@Sendable (ElementKey?) -> PartIdentity?)? {
    let outerIdentity = outer.identity
    guard parts.mayBeMissing else {
      guard let outerIdentity else { return nil }
      return { [parts] key in outerIdentity(parts.split(key).outer) }
    }
    return { [parts] key in
      let (id, key) = parts.split(key)
      guard var identity = outerIdentity == nil ? PartIdentity() : outerIdentity?(key) else { return nil }
      var isThere = false
      outer.read(key) { whole in
        parts.read(id, of: whole) { part in
          isThere = true
          if let id = (part.pointee as? any Identifiable)?.anyID { identity.ids.append(id) }
        }
      }
      return isThere ? identity : nil
    }
  }

  @inlinable
  func makeIdentities(in outer: StateAccess<Whole>) -> (@Sendable ([ElementKey?]) -> [PartIdentity?])? {
    let outerIdentities = outer.identities
    guard parts.mayBeMissing || outerIdentities != nil else { return nil }
    return { [parts] keys in
      var found = [PartIdentity?](repeating: nil, count: keys.count)
      // The ids of parts and the positions of their keys, by the keys of the elements around.
      var groups: [ElementKey?: (ids: [Parts.ID], positions: [Int])] = [:]
      for (position, key) in keys.enumerated() {
        let (id, key) = parts.split(key)
        groups[key, default: ([], [])].ids.append(id)
        groups[key, default: ([], [])].positions.append(position)
      }
      let outerKeys = Array(groups.keys)
      let around = outerIdentities?(outerKeys) ?? outerKeys.map { _ in PartIdentity() }
      for (key, identity) in zip(outerKeys, around) {
        guard let identity, let group = groups[key] else { continue }
        guard parts.mayBeMissing else {
          for position in group.positions { found[position] = identity }
          continue
        }
        outer.read(key) { whole in
          parts.read(group.ids, of: whole) { position, part in
            var identity = identity
            if let id = (part.pointee as? any Identifiable)?.anyID { identity.ids.append(id) }
            found[group.positions[position]] = identity
          }
        }
      }
      return found
    }
  }

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

  /// Makes the functions of the feature in the larger state.
  @inlinable
  func functions(of inner: FeatureFunctions<Part, PartAction>) -> FeatureFunctions<Whole, WholeAction> {
    guard inner.intercept != nil || inner.effects != nil else {
      return FeatureFunctions(reducer: makeReducer(inner.reducer), intercept: nil, effects: nil)
    }
    let reducer =
      inner.intercept == nil
      ? makeRequestingReducer(inner.reducer) : makeReducer(inner.reducer, keepsAction: inner.effects != nil)
    return FeatureFunctions(
      reducer: reducer,
      intercept: makeIntercept(inner.intercept),
      effects: makeEffects(inner.effects),
      discard: { [self, discard = inner.discard] in
        slot = nil
        discard?()
      }
    )
  }

  /// Makes the reducer of the larger state for a feature without interceptors and effects. It keeps nothing, because it
  /// alone asks.
  @inlinable
  func makeReducer(_ reducer: Reducer<Part, PartAction>?) -> Reducer<Whole, WholeAction>? {
    guard let reducer else { return nil }
    return { [self, extract = parts.extract] whole, action in
      guard let extract = extract(action) else { return }
      let (id, action) = Parts.idAndAction(of: extract)
      _ = parts.change(id, of: &whole) { reducer(&$0, action) }
    }
  }

  /// Makes the reducer of the larger state for a feature with effects and without interceptors. It is the first to ask,
  /// and keeps the action for the effects.
  @inlinable
  func makeRequestingReducer(_ reducer: Reducer<Part, PartAction>?) -> Reducer<Whole, WholeAction> {
    { [self, extract = parts.extract] whole, action in
      guard let extract = extract(action) else { return }
      let (id, action) = Parts.idAndAction(of: extract)
      if let reducer {
        guard parts.change(id, of: &whole, { reducer(&$0, action) }) else { return }
      }
      slot = (id, action)
      requestEffects()
    }
  }

  /// Makes the reducer of the larger state for a feature with interceptors, which have filled the slot.
  ///
  /// - Parameter keepsAction: `true` if effects follow, which take the action out of the slot.
  @inlinable
  func makeReducer(_ reducer: Reducer<Part, PartAction>?, keepsAction: Bool) -> Reducer<Whole, WholeAction> {
    { [self, parts] whole, action in
      guard fillSlot(from: action, parts), let (id, action) = slot else { return }
      var isThere = true
      if let reducer { isThere = parts.change(id, of: &whole) { reducer(&$0, action) } }
      if isThere, keepsAction { requestEffects() } else { slot = nil }
    }
  }

  /// Lets the combination in which the feature is ask for the feature's effects.
  @inlinable @inline(__always)
  func requestEffects() {
    if let requests { requests.range.include(requests.position) }
  }

  /// Makes the interceptors of the larger state. Actions of other features pass, and so do the feature's own while its
  /// part is missing.
  @inlinable
  func makeIntercept(
    _ intercept: FeatureFunctions<Part, PartAction>.Intercept?
  ) -> FeatureFunctions<Whole, WholeAction>.Intercept? {
    guard let intercept else { return nil }
    return { [self, parts] action, dispatch, whole in
      guard fillSlot(from: action, parts), let id = slot?.id else { return true }
      guard let state = whole.part(mayBeMissing: parts.mayBeMissing, { parts.part(id, of: $0) }) else { return true }
      guard intercept(&slot!.action, { [self] action in dispatch(embed(action, id)) }, state) else {
        let part = slot!.action
        Tree.wrapHeld {
          [self, read = state.read] (pass: InterceptorChain<PartAction>.Pass, action: inout WholeAction) in
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
  }

  /// Makes the effects of the larger state.
  @inlinable
  func makeEffects(_ effects: FeatureEffects<PartAction>?) -> FeatureEffects<WholeAction>? {
    guard let effects else { return nil }
    let perform: @Sendable (WholeAction, ElementKey?, EffectGroup?) -> Void = { [self] _, key, group in
      if slot != nil, let (id, action) = slot.take() {
        effects.perform(action, parts.key(id, in: key), group)
      } else {
        effects.update?()
      }
    }
    guard effects.update == nil else {
      return FeatureEffects(begin: effects.begin, perform: perform, update: effects.update)
    }
    return FeatureEffects(begin: effects.begin, perform: perform, update: nil) { [self] in requests = ($0, $1) }
  }
}
