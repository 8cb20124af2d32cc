extension Mutation: PartMutation {
  @usableFromInline
  var target: MutationTarget? {
    if case .conditional(let change) = form { change.target } else { nil }
  }

  @usableFromInline
  func write(to state: UnsafeMutableRawPointer?) -> Bool { form.write(to: state) }

  /// Returns the same change as a mutation of the whole that contains the part.
  @usableFromInline
  func scoped<Whole>(to part: PartWriter<Whole, State>) -> Mutation<Whole> {
    let target = part.target { self }
    // The part isn't even read if nothing changes: it may be computed, or nil.
    guard !changesNothing else {
      return Mutation<Whole>(origin, ConditionalWrite(changingNothingAwaited: isAwaited, at: target))
    }
    let change = ConditionalWrite(
      isAwaited: isAwaited,
      canFail: canFail || part.isOptional,
      target: target
    ) { [form] whole in
      part.write(whole, form.write(to:))
    }
    return Mutation<Whole>(origin, change)
  }

  /// Returns the mutation of a part, if this one was made for that part, or for a part of it; otherwise nil.
  ///
  /// - The targets are followed down to the first one that is the part, or that is stored in it.
  /// - If a caller of `commit` waits for a mutation, its own tree applies it. The mutation of the part then stops the
  ///   program if it is applied.
  @usableFromInline
  func part<Part>(at place: PartPlace, of _: Part.Type) -> Mutation<Part>? {
    guard var target, let place = target.whole.map({ $0.appending(place) }) ?? place else { return nil }
    while !place.isApart(from: target.place) {
      if place.isSame(as: target.place) { return (target.mutation as? Mutation<Part>)?.sealedIfAwaited }
      if place.contains(target.place) { return containing(target, at: place).sealedIfAwaited }
      guard let next = target.next else { return nil }
      target = next
    }
    return nil
  }

  /// Returns the mutation of a part that stores a target.
  private func containing<Part>(_ target: MutationTarget, at place: PartPlace) -> Mutation<Part> {
    let distance = (target.place.bytes?.lowerBound ?? 0) - (place.bytes?.lowerBound ?? 0)
    let change = ConditionalWrite(
      isAwaited: isAwaited,
      canFail: canFail,
      changesNothing: changesNothing,
      target: target.inside(place)
    ) { [mutation = target.mutation] part in
      mutation.write(to: part.map { $0 + distance })
    }
    return Mutation<Part>(origin, change)
  }

  /// Returns the same change as a mutation of the value of an optional. It fails if it removes the value.
  @usableFromInline
  func unwrapped<Wrapped>() -> Mutation<Wrapped> where State == Wrapped? {
    if let made = part(at: .value(of: Wrapped?.self), of: Wrapped.self) { return made }
    let change = ConditionalWrite(
      isAwaited: isAwaited,
      canFail: true,
      changesNothing: changesNothing
    ) { [form] state in
      guard let state = state?.assumingMemoryBound(to: Wrapped.self) else { return form.write(to: nil) }
      var optional: Wrapped? = state.pointee
      guard withUnsafeMutablePointer(to: &optional, { form.write(to: $0) }), let value = optional else { return false }
      state.pointee = value
      return true
    }
    return Mutation<Wrapped>(origin, change)
  }

  /// The same mutation. If a caller of `commit` waits for it, it stops the program when it is applied, because its
  /// closure takes the whole state.
  private var sealedIfAwaited: Mutation {
    guard isAwaited else { return self }
    let change = ConditionalWrite(isAwaited: true, canFail: canFail, target: target) { _ in
      Misuse.applyingCommitElsewhere.stop()
    }
    return Mutation(origin, change)
  }
}
