/// An answer that brings records with it: the entry keeps the answer, and each record is the entry of its own request.
///
/// ```swift
/// let albums = Request<NoValue, [Album]>("albums") { _ in try await client.albums() }
///   .normalized { list in RequestAnswer(list.map(\.id)).providing(album, list) }
/// ```
public struct RequestAnswer<Value: Equatable & Sendable>: Sendable {
  let value: Value
  var records: [ReceivedRecord] = []

  /// Makes an answer.
  ///
  /// - Parameter value: The value that the entry keeps, for example the ids of the records.
  public init(_ value: Value) {
    self.value = value
  }

  /// Returns this answer with records, each of which is an answer to another request.
  ///
  /// - Parameters:
  ///   - request: The request of a single record, whose argument is the record's id.
  ///   - records: The records.
  public func providing<Record: Identifiable & Equatable & Sendable>(
    _ request: Request<Record.ID, Record>,
    _ records: [Record]
  ) -> RequestAnswer {
    var answer = self
    answer.records += records.map { record in
      let id = request.id(record.id)
      return ReceivedRecord(id: id, value: RequestValue(record), tags: request.tags(record.id, record))
    }
    return answer
  }
}

/// An answer that was received, without its type.
public struct ReceivedAnswer: Equatable, Codable, Sendable {
  /// The tags of a page, or of the whole answer, and the records that came with it.
  public struct Part: Equatable, Codable, Sendable {
    /// The tags.
    public let tags: [RequestTag]

    /// The records, which are values of other entries.
    public let records: [ReceivedRecord]
  }

  /// The value of the entry.
  public internal(set) var value: RequestValue

  /// A part for each page, or one for the whole answer.
  public internal(set) var parts: [Part]
}

/// A record that came with an answer, for the entry of its own request.
public struct ReceivedRecord: Equatable, Codable, Sendable {
  /// The entry of the record.
  public let id: RequestID

  /// The record.
  public let value: RequestValue

  /// The tags of the record.
  public let tags: [RequestTag]
}
