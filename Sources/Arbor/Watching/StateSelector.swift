/// A pure function of parts of a state, which is computed again only when one of those parts has changed.
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
/// - Its inputs are key paths, or other selectors; to use both, convert a key path with `.init(\.name)`.
/// - A selector is a description and stores nothing. Each reader, a node of the tree or a ``Derived`` value, keeps the
///   last output of each selector it reads, as long as the reader lives. Readers don't affect each other. A store and
///   its scopes are one reader.
/// - The output is computed when an input isn't equal to the input of the last computation, no matter how many states
///   weren't read in between. If the new output is equal to the old one, the old one is kept.
/// - Create a selector once, usually as a `static let`. If you create a selector for each read, it is computed each
///   time.
/// - Cost: a reader keeps the inputs. If a reducer then changes a collection in an input, the collection is copied
///   once, as always when something else keeps a copy of it.
public struct StateSelector<State: Sendable, Output: Equatable & Sendable>: Sendable {
  @usableFromInline let identity: SelectorIdentity

  /// Returns the output for a version of the state, cached or newly computed.
  @usableFromInline let evaluate: @Sendable (State, SelectorCache, StateVersion) -> Output

  /// Makes a selector of a part of the state, for use as an input of other selectors. The part isn't cached.
  ///
  /// - Parameter path: The key path of the part.
  @inlinable
  public init(_ path: any KeyPath<State, Output> & Sendable) {
    identity = SelectorIdentity()
    let part = StatePart(path)
    evaluate = { state, _, _ in part(state) }
  }

  /// Makes a selector from a function of parts of the state.
  ///
  /// - Parameters:
  ///   - path: The key paths of the parts.
  ///   - compute: A pure function of the parts, in the order of the key paths.
  @inlinable
  public init<each Input: Equatable & Sendable>(
    _ path: repeat any KeyPath<State, each Input> & Sendable,
    compute: @escaping @Sendable (repeat each Input) -> Output
  ) {
    self.init(repeat StateSelector<State, each Input>(each path), compute: compute)
  }

  /// Makes a selector from a function of the outputs of other selectors.
  ///
  /// - Parameters:
  ///   - selector: The other selectors.
  ///   - compute: A pure function of their outputs, in the order of the selectors.
  @inlinable
  public init<each Input: Equatable & Sendable>(
    _ selector: repeat StateSelector<State, each Input>,
    compute: @escaping @Sendable (repeat each Input) -> Output
  ) {
    typealias Entry = SelectorInputsEntry<(repeat each Input), Output>
    let identity = SelectorIdentity()
    self.identity = identity
    evaluate = { state, cache, version in
      let entry: Entry
      if let found = cache.entry(of: identity) {
        entry = unsafeDowncast(found.takeUnretainedValue(), to: Entry.self)
      } else {
        entry = Entry(of: identity)
        cache.add(entry)
      }
      if entry.version == version, let output = entry.output { return output }
      let inputs = (repeat (each selector).evaluate(state, cache, version))
      if let old = entry.inputs, let output = entry.output, areEqual(repeat each old, to: repeat each inputs) {
        entry.version = version
        return output
      }
      #if DEBUG
        let again = (repeat (each selector).evaluate(state, cache, version))
        if !areEqual(repeat each inputs, to: repeat each again) { identity.reportInputs(of: Self.self) }
      #endif
      return entry.store(compute(repeat each inputs), of: inputs, at: version)
    }
  }

  /// A name that no other selector has, for objects that are made once per selector.
  package var name: some Hashable { identity.number }

  /// Computes the output for a state, without a cache; for reducers and tests.
  ///
  /// - Parameter state: The state to compute the output from.
  public func callAsFunction(_ state: State) -> Output {
    value(of: state, in: SelectorCache())
  }

  /// Returns the cached output; nil if there is none or if it isn't up to date for a version of the state.
  @inlinable
  func recall(from cache: SelectorCache, at version: StateVersion) -> Output? {
    cache.entry(of: identity)?._withUnsafeGuaranteedRef { entry in
      entry.version == version ? unsafeDowncast(entry, to: SelectorOutputEntry<Output>.self).output : nil
    }
  }

  /// Returns the output for a state, for a reader with its own cache.
  @usableFromInline
  func value(of state: State, in cache: SelectorCache) -> Output {
    evaluate(state, cache, cache.nextVersion())
  }
}

/// Returns `true` if each value equals the other value at its position.
@inlinable
func areEqual<each Value: Equatable>(_ old: repeat each Value, to new: repeat each Value) -> Bool {
  for (old, new) in repeat (each old, each new) {
    guard old == new else { return false }
  }
  return true
}
