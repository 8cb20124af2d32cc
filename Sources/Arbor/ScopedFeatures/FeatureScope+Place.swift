/// A scoped feature's place in a larger state: its state, its targets, and the identity of its part.
extension FeatureScope {
  /// Returns the place of the scoped feature, from the place of the larger one.
  @inlinable
  func place(
    in outer: EffectPlace<Whole, WholeAction>,
    _ collection: ElementWatch<Parts>?
  ) -> EffectPlace<Part, PartAction> {
    let parts = parts
    let isOutermost = collection != nil
    let state = PartAccess<Part>(
      read: { key, body in
        let (id, key) = parts.split(key)
        outer.state.read(key) { whole in parts.read(id, of: whole, body) }
      },
      readEach: { elements, body in
        guard isOutermost, let elements else {
          return outer.state.readEach(in: elements) { whole, key in
            parts.readEach(of: whole) { id, part in body(part, parts.key(id, in: key)) }
          }
        }
        outer.state.read(nil) { whole in
          for element in parts.inOrder(elements, of: whole) {
            parts.read(parts.split(element).id, of: whole) { part in body(part, element) }
          }
        }
      },
      identity: makeIdentity(in: outer.state),
      identities: makeIdentities(in: outer.state),
      collection: collection?.collection ?? outer.state.collection
    )
    return EffectPlace(
      at: outer.address,
      .parts(state),
      makeTargets(in: outer.targets),
      sharing: outer.sharing
    )
  }

  #if DEBUG
    /// Records how the feature finds its actions, for the scopes of stores at its place.
    @usableFromInline
    func noteExtract(in outer: EffectPlace<Whole, WholeAction>) {
      guard !parts.isPairKnown, let id = parts.onlyID, case .one(let target) = outer.targets else { return }
      let finds = { @Sendable [extract = parts.extract] action in extract(action) != nil }
      PlacedExtracts.note(finds, of: PartAction.self, at: parts.place(id), in: target.sink.host)
    }
  #endif

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
      guard let onEffectError = whole.onEffectError else { return EffectTarget(sink, onEffectError: nil) }
      return EffectTarget(sink) { key, action, error, cause in
        onEffectError(key, action.map { self.embed($0, id) }, error, cause)
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
          if let id = FeatureScope.id(of: part.pointee) { identity.ids.append(id) }
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
      // The ids of parts and the positions of their keys, by the keys of the enclosing elements.
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
            if let id = FeatureScope.id(of: part.pointee) { identity.ids.append(id) }
            found[group.positions[position]] = identity
          }
        }
      }
      return found
    }
  }
}
