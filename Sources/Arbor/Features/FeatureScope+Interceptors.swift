/// The interceptors of the larger state.
extension FeatureScope {
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
}
