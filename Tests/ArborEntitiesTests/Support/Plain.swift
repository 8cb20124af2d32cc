/// A record without indexes.
struct Plain: Identifiable, Hashable, Codable, Sendable {
  var id: Int
  var text = ""
}
