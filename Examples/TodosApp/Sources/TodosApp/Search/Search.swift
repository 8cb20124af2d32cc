/// The search of the list.
struct Search: Equatable, Sendable {
  /// What is in the field.
  var text = ""

  /// What is searched for: the text, once nothing more was typed for a while.
  var query = ""
}
