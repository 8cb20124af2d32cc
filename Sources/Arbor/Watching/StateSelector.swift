/// A pure function of parts of a state that is computed again only when one of those parts has changed.
///
/// ```swift
/// extension AppState {
///   static let visible = StateSelector(\AppState.todos, \.filter) { todos, filter in
///     todos.filter { filter.matches($0) }
///   }
///   static let title = StateSelector(visible, .init(\.name)) { visible, name in "\(name): \(visible.count)" }
/// }
/// store.select(AppState.visible)
/// ```
///
/// - Its inputs are key paths, or other selectors; a key path becomes a selector by `.init(\.name)`.
/// - It is a description and remembers nothing. Each reader, a store's place in the tree or a ``Derived`` value, remembers
///   one output of each selector it reads, until it is gone itself. Readers do not disturb each other; scopes of one
///   store are one reader.
/// - It computes when an input is not equal to the one from which it last computed, however many states went by unread.
///   If the new output is equal to the old one, the old one is kept.
/// - Made once, as a rule a `static let`. One that is made anew for each reading is another one each time.
/// - Cost: a reader keeps the inputs. A reducer that changes a collection among them then copies it once, as any value of
///   which a copy is kept.
public struct StateSelector<State: Sendable, Output: Equatable & Sendable>: Sendable {
  @usableFromInline let identity: SelectorIdentity

  /// Finds the output for the state of a moment.
  @usableFromInline let evaluate: @Sendable (State, SelectorCache, StateVersion) -> Output

  /// A part of the state as a selector, to be an input together with others. Nothing is remembered of it.
  @inlinable
  public init(_ path: any KeyPath<State, Output> & Sendable) {
    identity = SelectorIdentity()
    let part = PartReader(path)
    evaluate = { state, _, _ in part(state) }
  }

  /// A function of parts of the state.
  @inlinable
  public init<each Input: Equatable & Sendable>(
    _ path: repeat any KeyPath<State, each Input> & Sendable,
    compute: @escaping @Sendable (repeat each Input) -> Output
  ) {
    self.init(repeat StateSelector<State, each Input>(each path), compute: compute)
  }

  /// A function of what other selectors give.
  @inlinable
  public init<each Input: Equatable & Sendable>(
    _ selector: repeat StateSelector<State, each Input>,
    compute: @escaping @Sendable (repeat each Input) -> Output
  ) {
    typealias Memory = SelectorInputsEntry<(repeat each Input), Output>
    let identity = SelectorIdentity()
    self.identity = identity
    evaluate = { state, cache, moment in
      let memory: Memory
      if let entry = cache.entry(of: identity) {
        memory = unsafeDowncast(entry.takeUnretainedValue(), to: Memory.self)
      } else {
        memory = Memory(of: identity)
        cache.add(memory)
      }
      if memory.moment == moment, let output = memory.output { return output }
      let inputs = (repeat (each selector).evaluate(state, cache, moment))
      if let old = memory.inputs, let output = memory.output, areEqual(repeat each old, to: repeat each inputs) {
        memory.moment = moment
        return output
      }
      #if DEBUG
        let again = (repeat (each selector).evaluate(state, cache, moment))
        if !areEqual(repeat each inputs, to: repeat each again) { identity.reportInputs(of: Self.self) }
      #endif
      return memory.remember(compute(repeat each inputs), of: inputs, at: moment)
    }
  }

  /// The output for a state, computed here and now: nothing is remembered. For reducers and tests.
  public func callAsFunction(_ state: State) -> Output {
    value(of: state, in: SelectorCache())
  }

  /// The output if it is remembered and up to date at a moment.
  @inlinable
  func recall(from cache: SelectorCache, at moment: StateVersion) -> Output? {
    cache.entry(of: identity)?._withUnsafeGuaranteedRef { entry in
      entry.moment == moment ? unsafeDowncast(entry, to: SelectorOutput<Output>.self).output : nil
    }
  }

  /// The output for a state, for a reader that has a memory of its own.
  @usableFromInline
  func value(of state: State, in cache: SelectorCache) -> Output {
    evaluate(state, cache, cache.nextMoment())
  }
}

/// `true` if values equal others one by one.
@inlinable
func areEqual<each Value: Equatable>(_ old: repeat each Value, to new: repeat each Value) -> Bool {
  for (old, new) in repeat (each old, each new) {
    guard old == new else { return false }
  }
  return true
}
