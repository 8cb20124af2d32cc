/// The actions of a ``Wide``.
enum WideAction: Equatable, Sendable {
  case add
  case append(Int)

  /// An interceptor dispatches so many others.
  case flood(Int)
}
