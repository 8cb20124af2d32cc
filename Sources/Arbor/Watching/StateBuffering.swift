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
