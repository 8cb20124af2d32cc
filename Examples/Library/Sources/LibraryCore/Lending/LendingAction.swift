/// What can happen to a book.
enum LendingAction: Equatable, Sendable {
  case lend(Book.ID, to: String, until: Day)
  case `return`(Book.ID)
}
