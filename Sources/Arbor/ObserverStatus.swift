/// Whether an observer wants to be called again.
public enum ObserverStatus: Sendable, Hashable {
  /// The observer goes on: it is called with the next state too.
  case active

  /// The observer has ended: it is not called again and its closure is released.
  case dead
}
