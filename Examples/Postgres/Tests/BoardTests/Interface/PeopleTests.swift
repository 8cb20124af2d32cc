import BoardCore
import Foundation
import Testing

@Suite("Present people")
struct PeopleTests {
  private func presence(_ name: String, _ number: Int, at card: Card.ID? = nil) -> Presence {
    var presence = Presence(program: .number(number), name: name)
    presence.card = card
    return presence
  }

  @Test func `people are present from their first message until they leave`() {
    var people = People()
    people.hear(presence("Ben", 1), at: .seconds(1))
    people.hear(presence("Ann", 2), at: .seconds(1))
    people.hear(presence("Ann", 2), at: .seconds(2))
    #expect(people.names == ["Ann", "Ben"])
    var goodbye = presence("Ben", 1)
    goodbye.isLeaving = true
    people.hear(goodbye, at: .seconds(3))
    #expect(people.names == ["Ann"])
  }

  @Test func `a silent person counts as gone`() {
    var people = People()
    people.hear(presence("Ann", 1), at: .seconds(1))
    people.hear(presence("Ben", 2), at: .seconds(5))
    people.forgetSilent(at: .seconds(8))
    #expect(people.names == ["Ann", "Ben"])
    people.forgetSilent(at: .seconds(9))
    #expect(people.names == ["Ben"])
  }

  @Test func `people with the same name are counted separately`() {
    var people = People()
    people.hear(presence("Ann", 1), at: .zero)
    people.hear(presence("Ann", 2), at: .zero)
    #expect(people.names == ["Ann", "Ann"])
  }

  @Test func `the people at a card are shown`() {
    var people = People()
    people.hear(presence("Ann", 1, at: .number(7)), at: .zero)
    people.hear(presence("Ben", 2), at: .zero)
    #expect(people.names(at: .number(7)) == ["Ann"])
    #expect(people.names(at: .number(8)) == [])
  }

  @Test func `a flood of messages is not kept`() {
    var people = People()
    for number in 1...10_000 { people.hear(presence("Mallory", number), at: .zero) }
    #expect(people.names.count == 100)
  }
}
