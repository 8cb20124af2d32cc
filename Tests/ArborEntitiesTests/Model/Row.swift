/// The content of a record of the model-based tests. Two equal rows have the same bits: there is no padding, and no
/// text is too long to be stored inline.
struct Row: Equatable, Codable, Sendable {
  var id: ModelID
  var rank = 0
  var score = 0

  /// Negative for none.
  var group = -1
  var code = -1
  var mark = -1

  var title = ""

  /// A key with some negative values.
  var offset: Int { rank - 25 }

  var groupKey: Int? { group < 0 ? nil : group }
  var codeKey: Int? { code < 0 ? nil : code }
  var markKey: Int? { mark < 0 ? nil : mark }
}

extension Row: CustomStringConvertible {
  /// The row as Swift code.
  var description: String {
    let plain = Row(id: id)
    var parts = ["id: \(id)"]
    if rank != plain.rank { parts.append("rank: \(rank)") }
    if score != plain.score { parts.append("score: \(score)") }
    if group != plain.group { parts.append("group: \(group)") }
    if code != plain.code { parts.append("code: \(code)") }
    if mark != plain.mark { parts.append("mark: \(mark)") }
    if title != plain.title { parts.append("title: \"\(title)\"") }
    return "Row(\(parts.joined(separator: ", ")))"
  }
}
