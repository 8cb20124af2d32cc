/// The reducers of the larger state, by what else the feature has.
extension FeatureScope {
  /// Makes the reducer of the larger state for a feature without interceptors and effects. It keeps nothing, because it
  /// alone asks.
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

  @inlinable @inline(__always)
  func reduce(_ extract: Parts.Extract, of whole: inout Whole, _ reducer: Reducer<Part, PartAction>) {
    let (id, action) = Parts.idAndAction(of: extract)
    _ = parts.change(id, of: &whole) { reducer(&$0, action) }
  }

  /// Makes the reducer of the larger state for a feature with effects and without interceptors. It is the first to ask,
  /// and keeps the action for the effects.
  @inlinable
  func makeRequestingReducer(_ reducer: Reducer<Part, PartAction>?) -> Reducer<Whole, WholeAction> {
    { [self, extract = parts.extract] whole, action in
      guard let extract = extract(action) else { return }
      let (id, action) = Parts.idAndAction(of: extract)
      guard reduce(id, of: &whole, action, reducer) else { return }
      slot = (id, action)
      requestEffects()
    }
  }

  /// Makes the reducer of the larger state for a feature with interceptors, which have filled the slot.
  ///
  /// - Parameters:
  ///   - keepsAction: `true` if effects follow, which take the action out of the slot.
  ///   - discard: Lets go of what the feature's own parts have kept, which are not asked if the part is missing.
  @inlinable
  func makeReducer(
    _ reducer: Reducer<Part, PartAction>?,
    keepsAction: Bool,
    discard: (@Sendable () -> Void)?
  ) -> Reducer<Whole, WholeAction> {
    { [self, parts] whole, action in
      guard fillSlot(from: action, parts), let (id, action) = slot else { return }
      guard reduce(id, of: &whole, action, reducer) else {
        slot = nil
        discard?()
        return
      }
      if keepsAction { requestEffects() } else { slot = nil }
    }
  }

  /// Calls the reducer with the part, and notes which part that was. Returns `false` if the part is missing.
  @inlinable @inline(__always)
  func reduce(
    _ id: Parts.ID,
    of whole: inout Whole,
    _ action: PartAction,
    _ reducer: Reducer<Part, PartAction>?
  ) -> Bool {
    guard let reducer else { return !parts.mayBeMissing || finds(id, in: &whole) }
    return parts.change(id, of: &whole) { part in
      reducer(&part, action)
      if isExchangeable { reducedID = FeatureScope.id(of: part) }
    }
  }

  /// Notes which part there is, for a feature without a reducer. Returns `false` if it is missing.
  @inlinable
  func finds(_ id: Parts.ID, in whole: inout Whole) -> Bool {
    var isThere = false
    withUnsafeMutablePointer(to: &whole) { whole in
      parts.read(id, of: UnsafePointer(whole)) { part in
        isThere = true
        if isExchangeable { reducedID = FeatureScope.id(of: part.pointee) }
      }
    }
    return isThere
  }

  /// Lets the combination in which the feature is ask for the feature's effects.
  @inlinable @inline(__always)
  func requestEffects() {
    if let requests { requests.range.include(requests.position) }
  }
}
