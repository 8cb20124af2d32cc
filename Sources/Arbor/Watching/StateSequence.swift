/// An asynchronous sequence of the states of a source.
///
/// ```swift
/// for await state in store.states { print(state) }
/// ```
///
/// - Each iteration starts with the state after everything accepted before the iteration began. It ends when the source
///   is gone or the task is canceled.
/// - No state is dropped, except by buffering and the removal of duplicates.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  /// An iteration over the states.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<State>.Iterator
    let tree: Tree
    let isDuplicate: DuplicateCheck<State>?

    /// Returns the next state; nil if the source is gone or the task is canceled.
    @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> State? {
      while true {
        tree.taskWaits()
        guard let state = await base.next(isolation: actor) else { return nil }
        // Duplicates are removed here, because a buffered state may be dropped before it is delivered.
        if isDuplicate?(state) != true { return state }
      }
    }

    /// Returns the next state, on systems whose sequences don't support isolation; nil if the source is gone or the
    /// task is canceled.
    @_disfavoredOverload
    public mutating func next() async -> State? {
      while true {
        tree.taskWaits()
        guard let state = await base.next() else { return nil }
        if isDuplicate?(state) != true { return state }
      }
    }
  }

  let source: AnyStateSource<State>
  let duplicates: Equating<State>?
  let buffering: StateBuffering

  /// Subscribes to the source and starts an iteration.
  public func makeAsyncIterator() -> Iterator {
    let stream = source.stream(buffering) { state in (state, .active) }
    return Iterator(base: stream.makeAsyncIterator(), tree: source.tree, isDuplicate: duplicates?.makeDuplicateCheck())
  }
}

extension StateSource {
  /// A sequence of the states, starting with the current one; a slow consumer gets the newest.
  public var states: StateSequence<State> {
    states()
  }

  /// Returns a sequence of the states, starting with the current one.
  ///
  /// - Parameters:
  ///   - duplicates: A comparison. A state is skipped if the comparison finds it equal to the last state taken.
  ///   - buffering: The states to keep if the consumer is slower than the actions.
  public func states(
    removeDuplicates duplicates: Equating<State>? = nil,
    buffering: StateBuffering = .newest(1)
  ) -> StateSequence<State> {
    StateSequence(source: asStateSource, duplicates: duplicates, buffering: buffering)
  }

  /// Returns a sequence of the values of a part of the state, starting with the current one.
  ///
  /// - You can pass a key path literal: `states(of: \.count)`.
  /// - Parameters:
  ///   - part: Reads the part from a state. Called on the store's queue.
  ///   - duplicates: A comparison. A value is skipped if the comparison finds it equal to the last value taken. If nil,
  ///     none is skipped.
  ///   - buffering: The values to keep if the consumer is slower than the actions.
  public func states<Part: Sendable>(
    of part: @escaping @Sendable (_ state: State) -> Part,
    removeDuplicates duplicates: Equating<Part>? = nil,
    buffering: StateBuffering = .newest(1)
  ) -> StateSequence<Part> {
    StateSequence(source: asStateSource.part(part), duplicates: duplicates, buffering: buffering)
  }

  /// Returns the first state, starting with the current one, that satisfies a condition.
  ///
  /// - The result is nil if the source is gone or the task is canceled before there is such a state.
  /// - It checks every state.
  /// - Parameter condition: Returns `true` for the state that you want. Called on the store's queue, for every state up
  ///   to that one.
  public func state(where condition: @escaping @Sendable (_ state: State) -> Bool) async -> State? {
    let source = asStateSource
    let stream = source.stream(.oldest(1)) { state in
      condition(state) ? (state, .dead) : nil
    }
    source.tree.taskWaits()
    for await state in stream { return state }
    return nil
  }
}

/// The states that a sequence keeps if its consumer is slower than the actions.
///
/// ```swift
/// for await state in store.states(buffering: .newest(10)) { print(state) }
/// ```
public enum StateBuffering: Hashable, Sendable {
  /// Keeps at most this many of the newest states; older states are dropped.
  case newest(Int)

  /// Keeps at most this many of the oldest states; newer states are dropped until there is room again.
  case oldest(Int)

  /// Keeps all states: none is dropped, and memory use grows if the consumer is slow.
  case unbounded

  func policy<State>(for _: State.Type) -> AsyncStream<State>.Continuation.BufferingPolicy {
    switch self {
    case .newest(let count): .bufferingNewest(count)
    case .oldest(let count): .bufferingOldest(count)
    case .unbounded: .unbounded
    }
  }
}
