/// The actions of a ``Wide``.
enum WideAction: Equatable, Sendable {
  case add
  case append(Int)

  /// An interceptor dispatches this number of other actions.
  case flood(Int)
}
