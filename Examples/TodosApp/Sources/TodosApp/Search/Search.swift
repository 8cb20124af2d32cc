/// The search of the list.
struct Search: Equatable, Sendable {
  /// The text in the field.
  var text = ""

  /// The text that is searched for: that in the field, once nothing more was typed for a while.
  var query = ""
}
