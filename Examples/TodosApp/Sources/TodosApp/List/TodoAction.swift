/// The actions of an item in its row.
enum TodoAction: Equatable, Sendable {
  case setDone(Bool)
  case edit
  case remove
}
