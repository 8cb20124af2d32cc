/// A tree of stores on which a schedule is played: the engine, or the model of what it promises.
protocol SimulatedTree: AnyObject {
  /// Does one operation, from outside any callback.
  func perform(_ operation: Operation)

  /// What has happened so far, in order.
  var occurrences: [Occurrence] { get }

  /// The number of steps that wait.
  var pending: Int { get }

  /// The nodes whose states and reducers are still in memory.
  var nodes: Set<Int> { get }
}
