import Arbor

extension StoreProtocol where Action == CounterAction {
  /// Sends a number of actions, one step each, and waits for the last.
  func dispatch(count: Int) {
    for index in 0..<count { dispatch(.add(index)) }
    dispatchAndWait(.increment)
  }
}
