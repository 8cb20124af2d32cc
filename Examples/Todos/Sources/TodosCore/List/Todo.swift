/// Something to do.
struct Todo: Equatable, Sendable {
  let id: Int
  var text: String
  var isDone = false
}
