extension Draft: Identifiable {
  /// The text of a new item. The ids of items begin at 1.
  static let new = Draft(id: 0, text: "")

  var isNew: Bool { id == Draft.new.id }

  var canBeSaved: Bool { !text.allSatisfy(\.isWhitespace) }

  /// The change to a list that saves the text; nil if there is nothing to save.
  func change(of list: ListState) -> ListAction? {
    guard canBeSaved else { return nil }
    return isNew ? .add(id: list.nextID, text: text) : .edit(id: id, text: text)
  }
}
