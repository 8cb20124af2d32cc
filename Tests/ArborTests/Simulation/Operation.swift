/// What a schedule does with a tree of stores, from outside or in a callback.
///
/// - Stores and observers go by numbers. A node and its own store share one; number 0 is the root.
/// - An operation with something that does not exist, not yet or not any more, does nothing.
indirect enum Operation: Sendable {
  case dispatch(SimulatedAction, store: Int)
  case dispatchBatch([SimulatedAction], store: Int)
  case dispatchAndWait(SimulatedAction, store: Int)

  /// Uses the `dispatch` that the node's interceptor was given last.
  case dispatchAsInterceptor(SimulatedAction, node: Int)
  case readState(store: Int)
  case subscribe(observer: Int, store: Int)

  /// A completing observer says `.dead` with what its last call handed out, a returning one at the end of its
  /// running or next call.
  case end(observer: Int)
  case makeScope(Int, of: Int, Projection)
  case makeChild(Int, of: Int, intercepts: Bool, isUrgent: Bool)

  /// Lets go of the factory or of a child's object.
  case release(node: Int)
  case step
  case run
}
