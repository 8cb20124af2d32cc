/// Stored closures in a generic class, called one after the other with a state: the minimum cost of calling observers.
final class ClosureList<State> {
  private var closures: [(State) -> Bool] = []

  func add(_ closure: @escaping (State) -> Bool) {
    closures.append(closure)
  }

  @inline(never)
  func callAll(with state: State) -> Int {
    var count = 0
    for closure in closures where closure(state) {
      count &+= 1
    }
    return count
  }
}
