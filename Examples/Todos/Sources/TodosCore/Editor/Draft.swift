/// An item's text during an edit.
struct Draft: Equatable, Sendable {
  let id: Int
  var text: String
}
