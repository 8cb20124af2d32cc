import Arbor
import Testing

@Suite("Changes")
struct ChangesTests {
  private struct Person: Equatable, Sendable {
    var name = "Ada"
    var age = 36
    var city = "London"
  }

  @Test func `the first delivery counts as changed everywhere`() {
    let changes = Changes(current: Person(), previous: nil)
    #expect(changes.hasChanges(\.name))
    #expect(changes.hasChanges(\.name, \.age, \.city))
    #expect(changes.hasChanges { $0.name.count })
    #expect(changes.hasChanges())
    var seen: [String] = []
    changes.ifChanged(\.name) { seen.append($0) }
    changes.ifChanged(\.name, \.age) { seen.append("\($0) \($1)") }
    changes.ifChanged({ $0.city.count }, perform: { seen.append("\($0)") })
    changes.ifChanged { seen.append($0.city) }
    #expect(seen == ["Ada", "Ada 36", "6", "London"])
  }

  @Test func `what is equal has not changed, and one of several is enough`() {
    let changes = Changes(current: Person(age: 37), previous: Person())
    #expect(!changes.hasChanges(\.name))
    #expect(!changes.hasChanges(\.name, \.city))
    #expect(changes.hasChanges(\.name, \.age, \.city))
    #expect(!changes.hasChanges { $0.name + $0.city })
    #expect(changes.hasChanges())
    var seen: [String] = []
    changes.ifChanged(\.name) { seen.append($0) }
    changes.ifChanged(\.name, \.age) { seen.append("\($0) \($1)") }
    changes.ifChanged({ $0.city.count }, perform: { seen.append("\($0)") })
    changes.ifChanged { seen.append($0.city) }
    #expect(seen == ["Ada 37", "London"])
    let same = Changes(current: Person(), previous: Person())
    #expect(!same.hasChanges())
    same.ifChanged { _ in Issue.record("it has not changed") }
  }

  @Test func `properties of the current state are read directly`() {
    let changes = Changes(current: Person(age: 37), previous: Person())
    #expect(changes.age == 37)
    #expect(changes.previous?.age == 36)
  }
}
