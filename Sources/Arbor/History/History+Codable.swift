extension CodingUserInfoKey {
  /// The key under which an encoder's `userInfo` says `true` if each ``History`` is to be encoded with its past and its
  /// future.
  public static let includesPast = CodingUserInfoKey(rawValue: "Arbor.History.includesPast")!
}

extension History {
  private enum CodingKeys: CodingKey {
    case document
    case recorded
    case limit
    case past
    case future
  }
}

extension History: Encodable where Document: Encodable {
  /// Encodes the document and the limit; what can be undone and redone only if the encoder asks for it.
  ///
  /// ```swift
  /// encoder.userInfo[.includesPast] = true
  /// ```
  ///
  /// - Groups are not encoded: after decoding, no change joins one that was decoded.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(document, forKey: .document)
    try container.encode(limit, forKey: .limit)
    guard encoder.userInfo[.includesPast] as? Bool == true else { return }
    if isChanged { try container.encode(recorded, forKey: .recorded) }
    try container.encode(past.map(\.document), forKey: .past)
    try container.encode(future.map(\.document), forKey: .future)
  }
}

extension History: Decodable where Document: Decodable {
  /// Decodes a document, with its past and its future if they were encoded.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let document = try container.decode(Document.self, forKey: .document)
    self.init(
      document,
      recorded: try container.decodeIfPresent(Document.self, forKey: .recorded) ?? document,
      limit: try container.decode(Int.self, forKey: .limit),
      past: try container.decodeIfPresent([Document].self, forKey: .past) ?? [],
      future: try container.decodeIfPresent([Document].self, forKey: .future) ?? []
    )
  }
}
