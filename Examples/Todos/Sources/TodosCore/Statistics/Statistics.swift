/// How much there is to do.
struct Statistics: Equatable, Sendable {
  let items: Int
  let done: Int

  /// Counts the items of a list.
  init(of list: ListState) {
    items = list.todos.count
    done = list.todos.count(where: \.isDone)
  }

  /// The items still to do.
  var active: Int {
    items - done
  }
}
