/// How much there is to do.
struct Statistics: Equatable, Sendable {
  let items: Int
  let done: Int

  /// Counts items.
  init(of todos: [Todo]) {
    items = todos.count
    done = todos.count(where: \.isDone)
  }

  /// The items still to do.
  var active: Int {
    items - done
  }
}
