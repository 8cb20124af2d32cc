extension Mutation {
  /// The same change as a mutation of the whole that contains the part.
  @usableFromInline
  func scoped<Whole>(to part: PartWriter<Whole, State>) -> Mutation<Whole> {
    if case .conditional(let change) = form, change.changesNothing {
      // The part is not even looked at: it may be computed, or nil.
      return Mutation<Whole>(origin, ConditionalWrite(changingNothingAwaited: isAwaited, at: target(at: part)))
    }
    let change = ConditionalWrite(
      isAwaited: isAwaited,
      canFail: canFail || part.isOptional,
      target: target(at: part)
    ) { [form] whole in
      part.write(whole, form.write(to:))
    }
    return Mutation<Whole>(origin, change)
  }

  /// The target of a mutation of the whole that is this one of the part; nil for an element of a collection.
  @usableFromInline
  func target<Whole>(at part: PartWriter<Whole, State>) -> MutationTarget? {
    part.keyPath.map { MutationTarget(path: $0, bytes: part.bytes, mutation: self, apply: form.write(to:)) }
  }

  /// The mutation of a part, if this one was made for that part, or for a part of that; nil for any other.
  ///
  /// - The key paths are the same, or both parts are stored in the state itself and one contains the other.
  /// - A mutation for which a caller of `commit` waits is applied by its own tree. The mutation of the part then stops
  ///   the program if it is applied.
  ///
  /// - Parameter bytes: The bytes of the part in this mutation's state; nil if it is not stored there.
  @usableFromInline
  func part<Part>(at path: any AnyKeyPath & Sendable, _ bytes: Range<Int>?, of _: Part.Type) -> Mutation<Part>? {
    guard case .conditional(let change) = form, let target = change.target else { return nil }
    if target.path as AnyKeyPath == path as AnyKeyPath { return (target.mutation as! Mutation<Part>).sealedIfAwaited }
    guard let bytes, let inner = target.bytes, !inner.isEmpty, bytes.contains(inner) else { return nil }
    let distance = inner.lowerBound - bytes.lowerBound
    let part = ConditionalWrite(isAwaited: change.isAwaited, canFail: change.canFail) { part in
      target.apply(part.map { $0 + distance })
    }
    return Mutation<Part>(origin, part).sealedIfAwaited
  }

  /// The same mutation, which stops the program where it is applied, if a caller of `commit` waits for it: its closure
  /// takes the whole state.
  private var sealedIfAwaited: Mutation {
    guard isAwaited else { return self }
    return Mutation(
      origin,
      ConditionalWrite(isAwaited: true, canFail: canFail) { _ in Misuse.applyingCommitElsewhere.stop() }
    )
  }
}
