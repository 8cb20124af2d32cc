/// What can happen to an item in its row.
enum TodoAction: Equatable, Sendable {
  case setDone(Bool)
  case edit
  case remove
}
