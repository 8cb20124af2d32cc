/// The actions that lend and return a book.
enum LendingAction: Equatable, Sendable {
  case lend(Book.ID, to: String, until: Day)
  case `return`(Book.ID)
}
