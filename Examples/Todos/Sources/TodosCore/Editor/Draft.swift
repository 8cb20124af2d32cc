/// An item's text while it is edited.
struct Draft: Equatable, Sendable {
  let id: Int
  var text: String
}
