import ArborEntities
import Foundation
import Testing

@Suite("Ids that are not equal to themselves")
struct UnequalIDTests {
  private typealias Failure = EntityError<Reading>

  @Test func `such an id is refused wherever a record could get it, and nothing changes`() throws {
    var readings: EntityTable = [Reading(id: 1), Reading(id: 2)]
    let other = Reading(id: .init(.nan))
    let failure = Failure.notEqualToItself("Reading(nan)")
    expectUnchanged(&readings, after: failure) { try $0.insert(other) }
    expectUnchanged(&readings, after: failure) { try $0.insert(contentsOf: [Reading(id: 3), other]) }
    expectUnchanged(&readings, after: failure) { try $0.upsert(other) }
    expectUnchanged(&readings, after: failure) { try $0.upsert(other) { $0 = $1 } }
    expectUnchanged(&readings, after: failure) { try $0.upsert(contentsOf: [Reading(id: 3), other]) }
    expectUnchanged(&readings, after: failure) { try $0.rename([1: other.id]) { $0.id = $1 } }
    var empty = EntityTable<Reading>()
    expectUnchanged(&empty, after: failure) { try $0.insert(other) }
    expectUnchanged(&empty, after: failure) { try $0.insert(contentsOf: [Reading(id: 3), other, other]) }
    expectUnchanged(&empty, after: failure) { try $0.upsert(other) }
    #expect(throws: failure) { try EntityTable([other, other]) }
    #expect(readings[other.id] == nil)
    #expect(readings.remove(other.id) == nil)
  }

  @Test func `a closure that changes a record cannot give it such an id`() throws {
    var readings: EntityTable = [Reading(id: 1)]
    #expect(throws: Failure.self) { try readings.update(1) { $0.id = .init(.nan) } }
    #expect(throws: Failure.self) { try readings.upsert(Reading(id: 1)) { known, _ in known.id = .init(.nan) } }
    #expect(Array(readings) == [Reading(id: 1)])
  }

  @Test func `an id of which a part is not equal to itself is refused`() throws {
    var places = EntityTable<Site>()
    let nowhere = Site(id: .init(north: 1, east: .nan))
    expectUnchanged(&places, after: EntityError<Site>.notEqualToItself("\(nowhere.id)")) { try $0.insert(nowhere) }
  }

  @Test func `records with such ids fail to decode, at the first one`() throws {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan"
    )
    let data = Data(#"[{"id":1,"text":""},{"id":"nan","text":""},{"id":"nan","text":""}]"#.utf8)
    let error = #expect(throws: DecodingError.self) { try decoder.decode(EntityTable<Reading>.self, from: data) }
    guard case .dataCorrupted(let context) = error else { throw try #require(error) }
    #expect(context.codingPath.map(\.intValue) == [1])
    #expect(context.debugDescription == "Reading(nan) could never be found, because its id is not equal to itself")
    #expect(context.underlyingError as? Failure == .notEqualToItself("Reading(nan)"))
  }

  @Test func `a bulk insertion is refused at the first such id, and no further record is read`() {
    var asked = 0
    let readings = sequence(state: ()) { _ in
      asked += 1
      return Reading(id: asked < 3 ? .init(Double(asked)) : .init(.nan))
    }
    #expect(throws: Failure.notEqualToItself("Reading(nan)")) { try EntityTable(readings) }
    #expect(asked == 3)
  }

  @Test func `a literal with such an id stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let readings: EntityTable = [Reading(id: 1), Reading(id: .init(.nan))]
      _ = readings
    }
    expect(result, contains: "An EntityTable was made from a literal in which")
    expect(result, contains: "Reading(nan) could never be found, because its id is not equal to itself")
  }
}

/// A record whose id may be NaN.
private struct Reading: Identifiable, Equatable, Codable, Sendable {
  var id: TypedID<Reading, Double>
  var text = ""
}

/// A record whose id has parts.
private struct Site: Identifiable, Equatable, Sendable {
  struct ID: Hashable, Sendable {
    var north: Double
    var east: Double
  }

  var id: ID
}
