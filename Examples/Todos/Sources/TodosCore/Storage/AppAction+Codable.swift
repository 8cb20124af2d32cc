/// The form of actions in the journal: that of the list's. The others change nothing that is kept, and are `null`.
extension AppAction: Codable {
  init(from decoder: any Decoder) throws {
    // To show the statistics changes nothing, either.
    self = try ListAction?(from: decoder).map(AppAction.list) ?? .statistics(.show)
  }

  func encode(to encoder: any Encoder) throws {
    try list.encode(to: encoder)
  }
}
