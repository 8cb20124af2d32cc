/// The search of the list.
struct Search: Equatable, Sendable {
  /// The text in the field.
  var text = ""

  /// The search text: the text in the field after a pause in typing.
  var query = ""
}
