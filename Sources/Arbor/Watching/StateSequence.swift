/// The states of a source, one after the other.
///
/// - Every iteration starts with the state behind what was accepted before it, and ends when the source is gone or the
///   task is cancelled.
/// - Nothing is dropped but what the buffering says.
public struct StateSequence<State: Sendable>: AsyncSequence, Sendable {
  /// An iteration over the states.
  public struct Iterator: AsyncIteratorProtocol {
    var base: AsyncStream<State>.Iterator
    let tree: Tree
    let isDuplicate: (@Sendable (State) -> Bool)?

    /// The next state; nil once the source is gone or the task was cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async -> State? {
      while true {
        tree.taskWaits()
        guard let state = await base.next(isolation: actor) else { return nil }
        // Here, where it is known what was delivered before.
        if isDuplicate?(state) != true { return state }
      }
    }
  }

  let source: AnyStateSource<State>
  let duplicates: Equating<State>?
  let buffering: StateBuffering

  /// Starts an iteration: subscribes.
  public func makeAsyncIterator() -> Iterator {
    let stream = source.stream(buffering) { state in (state, .active) }
    return Iterator(base: stream.makeAsyncIterator(), tree: source.tree, isDuplicate: duplicates?.makeMemory())
  }
}

extension StateSource {
  /// The states from the current one on, the newest one waiting for the task that takes them.
  public var states: StateSequence<State> {
    states()
  }

  /// The states from the current one on.
  ///
  /// - Parameters:
  ///   - duplicates: How to tell a state that is left out, because it is the one that was taken before.
  ///   - buffering: Which states wait for a task that is slower than the actions.
  public func states(
    removeDuplicates duplicates: Equating<State>? = nil,
    buffering: StateBuffering = .newest(1)
  ) -> StateSequence<State> {
    StateSequence(source: asStateSource, duplicates: duplicates, buffering: buffering)
  }

  /// A part of the states from the current one on; key path literals convert: `states(of: \.count)`.
  public func states<Part: Sendable>(
    of part: @escaping @Sendable (_ state: State) -> Part,
    removeDuplicates duplicates: Equating<Part>? = nil,
    buffering: StateBuffering = .newest(1)
  ) -> StateSequence<Part> {
    StateSequence(source: asStateSource.part(part), duplicates: duplicates, buffering: buffering)
  }

  /// The first state from the current one on for which a condition holds; nil if the source is gone before, or the task is
  /// cancelled.
  ///
  /// - No state is missed: the condition is asked on the store's queue.
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

/// Which states wait for a task that takes them one by one and is slower than the actions.
public enum StateBuffering: Hashable, Sendable {
  /// The newest so many; older ones are dropped.
  case newest(Int)

  /// The oldest so many; newer ones are dropped until there is room again.
  case oldest(Int)

  /// All. Nothing is dropped, and memory grows with what is not taken.
  case unbounded

  func policy<State>(for _: State.Type) -> AsyncStream<State>.Continuation.BufferingPolicy {
    switch self {
    case .newest(let count): .bufferingNewest(count)
    case .oldest(let count): .bufferingOldest(count)
    case .unbounded: .unbounded
    }
  }
}
