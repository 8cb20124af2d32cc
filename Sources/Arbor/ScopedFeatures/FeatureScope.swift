/// A scoped feature in use: the parts of the state, and the slot with the action that the running action contains.
@usableFromInline
package final class FeatureScope<Parts: ScopedParts>: @unchecked Sendable {
  // Sendable because its variables are only used on the tree's queue, or are atomic.

  @usableFromInline typealias Whole = Parts.Whole
  @usableFromInline typealias WholeAction = Parts.WholeAction
  @usableFromInline typealias Part = Parts.Part
  @usableFromInline typealias PartAction = Parts.PartAction

  @usableFromInline let parts: Parts
  @usableFromInline let tree: Tree

  /// The id and the action of a part in the running action, from the first extraction until the last function has
  /// received it.
  @usableFromInline
  @exclusivity(unchecked)
  var slot: (id: Parts.ID, action: PartAction)?

  /// Empties the slot when the step ends.
  @usableFromInline private(set) var keptSlot: KeptPart!

  /// The number of the form of the running action from which ``slot`` was extracted; see ``RunningStep/formNumber``.
  @usableFromInline
  @exclusivity(unchecked)
  var extractedFormNumber: UInt64 = 0

  /// The effects that the running action requests from the combination that contains the feature, and the feature's
  /// position there; nil outside combinations.
  @usableFromInline
  @exclusivity(unchecked)
  var requests: (range: RequestedEffects, position: Int)?

  /// `true` if the part may be replaced by another one with another id.
  @usableFromInline let isExchangeable: Bool

  /// The id of the part that reduced the running action; nil if it can't be replaced.
  @usableFromInline
  @exclusivity(unchecked)
  var reducedID: AnyHashable?

  #if DEBUG
    @usableFromInline let pairCheck: PairCheck
  #endif

  @inlinable
  init(_ parts: Parts, on tree: Tree) {
    self.parts = parts
    self.tree = tree
    #if DEBUG
      pairCheck = PairCheck(isMade: parts.isPairKnown)
    #endif
    isExchangeable = parts.mayBeMissing && parts.onlyID != nil && Part.self is any Identifiable.Type
    let scope = Unmanaged.passUnretained(self)
    keptSlot = KeptPart { scope._withUnsafeGuaranteedRef { $0.slot = nil } }
  }

  /// Returns the id of a part; nil if it has none.
  @inlinable
  static func id(of part: Part) -> AnyHashable? { (part as? any Identifiable)?.anyID }

  /// Wraps an action of a part. May be called from any thread.
  @inlinable
  func embed(_ action: PartAction, _ id: Parts.ID) -> WholeAction {
    let embedded = parts.embed(action, id)
    #if DEBUG
      check(action, id, embedded)
    #endif
    return embedded
  }

  #if DEBUG
    /// Stops the program if `extract` doesn't find an embedded action, with its id. Makes the check once.
    @usableFromInline
    func check(_ action: PartAction, _ id: Parts.ID, _ embedded: @autoclosure () -> WholeAction) {
      pairCheck.once {
        let found = parts.extract(embedded()).map(Parts.idAndAction(of:))
        guard let found, PairCheck.areSame(id, found.id) else {
          Misuse.embeddingWhatIsNotExtracted.stop(about: String(describing: PartAction.self))
        }
      }
    }
  #endif

  /// Fills the slot from an action, unless it was filled from the same form of it. Returns `true` if it has an action.
  ///
  /// - Parameter parts: This scope's parts. A closure that captured them passes them, because a call of a function that
  ///   is stored in an object retains it.
  @inlinable @inline(__always)
  func fillSlot(from action: WholeAction, _ parts: Parts) -> Bool {
    guard extractedFormNumber != tree.step.formNumber else { return slot != nil }
    extractedFormNumber = tree.step.formNumber
    slot = nil
    return fillEmptySlot(from: action, parts)
  }

  /// Fills the empty slot from an action. Returns `true` if it has an action.
  ///
  /// - Parameter parts: This scope's parts, as for ``fillSlot(from:_:)``.
  @inlinable @inline(__always)
  func fillEmptySlot(from action: WholeAction, _ parts: Parts) -> Bool {
    guard let extract = parts.extract(action) else { return false }
    slot = Parts.idAndAction(of: extract)
    tree.keep(keptSlot)
    #if DEBUG
      if let (id, action) = slot { check(action, id, parts.embed(action, id)) }
    #endif
    return true
  }

  /// Makes the functions of the feature in the larger state that contains the scope.
  ///
  /// - Parameter outer: The place of the larger state; nil if that isn't in a tree.
  @inlinable
  func functions(
    of inner: FeatureFunctions<Part, PartAction>,
    in outer: EffectPlace<Whole, WholeAction>?,
    _ collection: ElementWatch<Parts>?
  ) -> FeatureFunctions<Whole, WholeAction> {
    guard let outer, !inner.interceptors.isEmpty || inner.effects != nil else {
      return FeatureFunctions(
        reducer: makeReducer(inner.reducer),
        makeReducerFollowedBy: { [self, reducer = inner.reducer] next in makeReducer(reducer, followedBy: next) }
      )
    }
    return FeatureFunctions(
      reducer: makeKeepingReducer(inner.reducer, collection, mayHaveSlot: !inner.interceptors.isEmpty),
      interceptors: inner.interceptors.map(embedded),
      effects: inner.effects.map { effects in
        let effects = PlacedEffects(effects)
        return makeEffects(collection?.watching(effects) ?? effects, in: outer.state).featureEffects
      }
    )
  }

  // MARK: Interceptors

  /// Returns an interceptor of the larger state. Actions of other features pass, and so do the feature's own while its
  /// part is missing.
  @inlinable
  func embedded(_ interceptor: Interceptor<Part, PartAction>) -> Interceptor<Whole, WholeAction> {
    Interceptor { [self, parts] whole, context in
      guard fillSlot(from: whole, parts), let (id, action) = slot else { return .pass }
      let embed = { @Sendable [self] action in self.embed(action, id) }
      let readPart = { @Sendable [read = context.store.read] in read().flatMap { parts.part(id, of: $0) } }
      let part = context.store.part(mayBeMissing: parts.mayBeMissing, embedding: embed, reading: readPart)
      guard let part else { return .pass }
      let verdict = interceptor.decide(action, Interceptor<Part, PartAction>.Context(part))
      if case .replace(let other) = verdict.kind {
        // The following form is known, so nothing must be extracted from it.
        slot = (id, replacement(other, for: action))
        extractedFormNumber = tree.step.formNumber &+ 1
      }
      return verdict.embedded(from: action, by: embed)
    }
  }

  // MARK: Reducers

  /// Makes the reducer of the larger state for a feature without interceptors and effects. It doesn't keep the action,
  /// because no other function needs it.
  ///
  /// - Parameter next: The reducer that follows; nil for none.
  @inlinable
  func makeReducer(
    _ reducer: Reducer<Part, PartAction>?,
    followedBy next: Reducer<Whole, WholeAction>? = nil
  ) -> Reducer<Whole, WholeAction>? {
    guard let reducer else { return next }
    guard let next else {
      return { [self, extract = parts.extract] whole, action in
        if let extract = extract(action) { reduce(extract, of: &whole, reducer) }
      }
    }
    return { [self, extract = parts.extract] whole, action in
      if let extract = extract(action) { reduce(extract, of: &whole, reducer) }
      next(&whole, action)
    }
  }

  // Not inlined: most actions belong to other features, and this keeps the stack frame small that they pass through.
  @inlinable @inline(never)
  func reduce(_ extract: Parts.Extract, of whole: inout Whole, _ reducer: Reducer<Part, PartAction>) {
    let (id, action) = Parts.idAndAction(of: extract)
    #if DEBUG
      check(action, id, parts.embed(action, id))
    #endif
    _ = parts.change(id, of: &whole) { reducer(&$0, action) }
  }

  /// Makes the reducer of the larger state for a feature with interceptors or effects. It keeps the action for the
  /// effects.
  ///
  /// - Parameter mayHaveSlot: `true` if interceptors may have filled the slot. Otherwise the reducer skips that check,
  ///   which would also cost every action of the other features.
  @inlinable
  func makeKeepingReducer(
    _ reducer: Reducer<Part, PartAction>?,
    _ collection: ElementWatch<Parts>?,
    mayHaveSlot: Bool
  ) -> Reducer<Whole, WholeAction> {
    // Without a reducer, the scope changes no element.
    guard let collection, reducer != nil else {
      return { [self, parts] whole, action in
        let isFilled = mayHaveSlot ? fillSlot(from: action, parts) : fillEmptySlot(from: action, parts)
        guard isFilled, let (id, action) = slot else { return }
        if reduce(id, of: &whole, action, reducer) != .missing { requestEffects() } else { slot = nil }
      }
    }
    return { [self, parts] whole, action in
      let isFilled = mayHaveSlot ? fillSlot(from: action, parts) : fillEmptySlot(from: action, parts)
      guard isFilled, let (id, action) = slot else { return }
      collection.willChange(id, of: &whole)
      let change = reduce(id, of: &whole, action, reducer)
      collection.didChange(&whole, change)
      if change != .missing { requestEffects() } else { slot = nil }
    }
  }

  /// Calls the reducer with the part, and records which part that was.
  @inlinable @inline(__always)
  func reduce(
    _ id: Parts.ID,
    of whole: inout Whole,
    _ action: PartAction,
    _ reducer: Reducer<Part, PartAction>?
  ) -> ScopedChange {
    guard let reducer else { return !parts.mayBeMissing || recordPart(id, in: &whole) ? .part : .missing }
    return parts.change(id, of: &whole) { part in
      reducer(&part, action)
      if isExchangeable { reducedID = FeatureScope.id(of: part) }
    }
  }

  /// Records which part exists, for a feature without a reducer. Returns `false` if it is missing.
  @inlinable
  func recordPart(_ id: Parts.ID, in whole: inout Whole) -> Bool {
    var isThere = false
    withUnsafeMutablePointer(to: &whole) { whole in
      parts.read(id, of: UnsafePointer(whole)) { part in
        isThere = true
        if isExchangeable { reducedID = FeatureScope.id(of: part.pointee) }
      }
    }
    return isThere
  }

  /// Makes the combination that contains the feature request the feature's effects.
  @inlinable @inline(__always)
  func requestEffects() {
    if let requests { requests.range.include(requests.position) }
  }

  /// Makes the effects of the larger state.
  ///
  /// - They aren't asked if the part was replaced after its reducer, in the same step.
  /// - Parameter outer: The larger state.
  @inlinable
  func makeEffects(
    _ effects: PlacedEffects<PartAction>,
    in outer: StateAccess<Whole>
  ) -> PlacedEffects<WholeAction> {
    let perform: @Sendable (WholeAction, ElementKey?, EffectGroup?) -> Void = { [self] _, key, group in
      guard slot != nil, let (id, action) = slot.take() else {
        effects.update?()
        return
      }
      guard !isExchangeable || isReducedPart(id, in: outer, key) else {
        effects.update?()
        return
      }
      effects.perform(action, parts.key(id, in: key), group)
    }
    guard effects.update == nil else {
      return PlacedEffects(begin: effects.begin, perform: perform, update: effects.update)
    }
    return PlacedEffects(begin: effects.begin, perform: perform, update: nil) { [self] in requests = ($0, $1) }
  }

  /// Returns `true` if the part is still the one that reduced the running action.
  ///
  /// - Parameter outer: The larger state. The scope doesn't keep it, because contexts and tasks keep the scope.
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
