/// The entries that an invalidation or a patch reaches.
enum RequestReach: Hashable, Codable, Sendable {
  case entry(RequestID)

  /// The answers to all arguments of a request.
  case request(String)
  case tag(RequestTag)

  /// Returns `true` if an entry with some tags is reached.
  func reaches(_ id: RequestID, _ tags: [RequestTag]) -> Bool {
    switch self {
    case .entry(let entry): entry == id
    case .request(let name): name == id.name
    case .tag(let tag): tags.contains { tag.reaches($0) }
    }
  }
}
