/// What a record of the model-based tests is made of. Two equal ones have the same bits: no gaps, and no text that is too long
/// to be kept in place.
struct Row: Equatable, Sendable {
  var id: ModelID
  var rank = 0
  var score = 0

  /// Negative for none.
  var group = -1
  var code = -1
  var mark = -1

  var title = ""

  var groupKey: Int? { group < 0 ? nil : group }
  var codeKey: Int? { code < 0 ? nil : code }
  var markKey: Int? { mark < 0 ? nil : mark }
}
