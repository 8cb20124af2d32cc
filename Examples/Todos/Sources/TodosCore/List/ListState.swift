/// The to-do list.
struct ListState: Equatable, Sendable {
  /// In the order of their IDs.
  var todos: [Todo] = []

  /// Only ever grows: an ID is not used again, even if its item was removed or its addition undone.
  var nextID = 1

  /// The changes that can be taken back, the last one at the end.
  var history: [Change] = []

  /// The item with an ID.
  subscript(id: Int) -> Todo? {
    let index = position(of: id)
    return index < todos.count && todos[index].id == id ? todos[index] : nil
  }

  /// Where the item with an ID is, or would have to be put.
  func position(of id: Int) -> Int {
    var range = todos.indices
    while !range.isEmpty {
      let middle = range.lowerBound + range.count / 2
      range = todos[middle].id < id ? middle + 1..<range.upperBound : range.lowerBound..<middle
    }
    return range.lowerBound
  }
}
