extension CodingUserInfoKey {
  /// The key for an encoder's `userInfo`. If its value is `true`, each ``History`` is encoded without its past and its
  /// future, for recordings that are partly redacted.
  package static let omitsPast = CodingUserInfoKey(rawValue: "Arbor.History.omitsPast")!

  /// The key for an encoder's `userInfo`. Its value is `true` if a value is encoded for a recording, which people read
  /// and which continues at the same moment.
  package static let isRecording = CodingUserInfoKey(rawValue: "Arbor.isRecording")!
}

extension History {
  private enum CodingKeys: CodingKey {
    case document
    case recorded
    case limit
    case past
    case future
    case begun
    case isOpen
  }
}

extension History: Encodable where Document: Encodable {
  /// Encodes the whole history: the document, the changes to undo and redo, open groups and the limit.
  ///
  /// - To encode only the document, encode ``document``.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(document, forKey: .document)
    try container.encode(limit, forKey: .limit)
    guard encoder.userInfo[.omitsPast] as? Bool != true else { return }
    if isChanged { try container.encode(recorded, forKey: .recorded) }
    if !past.isEmpty { try container.encode(past, forKey: .past) }
    if !future.isEmpty { try container.encode(future, forKey: .future) }
    try container.encodeIfPresent(begun, forKey: .begun)
    if isOpen { try container.encode(isOpen, forKey: .isOpen) }
  }
}

extension History: Decodable where Document: Decodable {
  /// Decodes a history.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let document = try container.decode(Document.self, forKey: .document)
    self.init(document, limit: try container.decode(Int.self, forKey: .limit))
    recorded = try container.decodeIfPresent(Document.self, forKey: .recorded) ?? document
    past = try container.decodeIfPresent([Moment].self, forKey: .past) ?? []
    future = try container.decodeIfPresent([Moment].self, forKey: .future) ?? []
    begun = try container.decodeIfPresent(HistoryChange.self, forKey: .begun)
    isOpen = try container.decodeIfPresent(Bool.self, forKey: .isOpen) ?? false
    forgetOldest()
  }
}
