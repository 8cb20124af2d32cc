import Arbor
import ArborEntities
import Foundation
import Testing

@Suite("References to records in differences")
struct RecordReferenceTests {
  /// A record whose id is not `Codable`.
  private struct Parcel: Identifiable, Equatable, Codable, Sendable {
    struct Label: Hashable, Sendable {
      let number: Int
    }

    var number: Int
    var id: Label { Label(number: number) }
  }

  /// A record with an optional id.
  private struct Slip: Identifiable, Equatable, Codable, Sendable {
    var id: Int?
  }

  @Test func `a record whose id cannot be encoded is referred to by its value`() throws {
    let older = try EntityTable((0..<4).map(Parcel.init))
    var newer = older
    newer.remove(.init(number: 2))
    let text = #"{"removed":[{"record":{"number":2}}]}"#
    #expect(try newer.differenceText(from: older) == text)
    var made = try older.recoded()
    try made.apply(text: text)
    #expect(made == newer)
  }

  @Test func `an id fails to decode if only records can be references`() throws {
    var parcels = try EntityTable((0..<4).map(Parcel.init))
    let error = #expect(throws: DecodingError.self) { try parcels.apply(text: #"{"removed":[{"id":2}]}"#) }
    guard case .dataCorrupted = error else { throw try #require(error) }
    #expect(parcels.count == 4)
  }

  @Test func `an optional id refers to its record`() throws {
    let older = try EntityTable([Slip(id: 1), Slip(id: nil), Slip(id: 2)])
    for id in [nil, 1, 2] as [Int?] {
      var newer = older
      newer.remove(id)
      let made = try #require(try newer.remade(from: older))
      #expect(made == newer)
    }
  }
}
