import Arbor
import Testing

@Suite("Changes")
struct ChangesTests {
  private struct Person: Equatable, Sendable {
    var name = "Ada"
    var age = 36
    var city = "London"
  }

  @Test func `the first delivery counts as a change of everything`() {
    let changes = Changes(current: Person(), previous: nil)
    let hasNewName = changes.hasChanges(\.name)
    #expect(hasNewName, "a key path literal converts")
    #expect(changes.hasChanges { ($0.name, $0.age, $0.city) })
    #expect(changes.hasChanges { $0.name.count })
    #expect(changes.hasChanges { $0 })
    var seen: [String] = []
    changes.ifChanged(\.name) { seen.append($0) }
    changes.ifChanged({ ($0.name, $0.age) }, perform: { seen.append("\($0) \($1)") })
    changes.ifChanged({ $0.city.count }, perform: { seen.append("\($0)") })
    changes.ifChanged(\.self) { seen.append($0.city) }
    #expect(seen == ["Ada", "Ada 36", "6", "London"])
  }

  @Test func `equal values have not changed, and one different value of several is enough`() {
    let changes = Changes(current: Person(age: 37), previous: Person())
    #expect(!changes.hasChanges { $0.name })
    #expect(!changes.hasChanges { ($0.name, $0.city) })
    #expect(changes.hasChanges { ($0.name, $0.age, $0.city) })
    #expect(!changes.hasChanges { $0.name + $0.city })
    #expect(changes.hasChanges { $0 })
    var seen: [String] = []
    changes.ifChanged(\.name) { seen.append($0) }
    changes.ifChanged({ ($0.name, $0.age) }, perform: { seen.append("\($0) \($1)") })
    changes.ifChanged({ $0.city.count }, perform: { seen.append("\($0)") })
    changes.ifChanged(\.self) { seen.append($0.city) }
    #expect(seen == ["Ada 37", "London"])
    let same = Changes(current: Person(), previous: Person())
    #expect(!same.hasChanges { $0 })
    same.ifChanged(\.self) { _ in Issue.record("it has not changed") }
  }

  @Test func `a closure may compute several values, of which one different value is enough`() {
    let changes = Changes(current: Person(age: 37), previous: Person())
    var seen: [String] = []
    changes.ifChanged({ ($0.name, $0.city) }, perform: { name, city in seen.append(name + city) })
    changes.ifChanged({ ($0.name, $0.age) }, perform: { name, age in seen.append("\(name) \(age)") })
    #expect(seen == ["Ada 37"])
    #expect(changes.hasChanges { ($0.age, $0.city.count) })
    #expect(!changes.hasChanges { ($0.name, $0.city.count) })
    Changes(current: Person(), previous: nil).ifChanged({ ($0.name, $0.age) }, perform: { seen.append("\($0) \($1)") })
    #expect(seen == ["Ada 37", "Ada 36"])
  }

  @Test func `a comparison defines changes, even of values that are not Equatable`() {
    struct Report: Sendable {
      var lines: [String]
      var draw: @Sendable () -> Int = { 0 }
    }
    let old = Report(lines: ["a", "b"])
    let changes = Changes(current: Report(lines: ["c", "d"]) { 1 }, previous: old)
    var seen: [String] = []
    changes.ifChanged(\.lines, comparing: .by(\.count)) { lines in seen.append("count \(lines)") }
    changes.ifChanged(\.lines, comparing: .by(\.first)) { lines in seen.append("first \(lines)") }
    changes.ifChanged(\.draw, comparing: .never) { draw in seen.append("draw \(draw())") }
    changes.ifChanged({ ($0.lines, $0.draw) }, comparing: .by(\.0.last), perform: { seen.append("both \($0.0)") })
    changes.ifChanged(\.draw, comparing: .always) { _ in Issue.record("it always counts as equal") }
    changes.ifChanged(\.lines, comparing: .by(\.count) && .by(\.last)) { lines in seen.append("last \(lines)") }
    #expect(seen == ["first [\"c\", \"d\"]", "draw 1", "both [\"c\", \"d\"]", "last [\"c\", \"d\"]"])
    #expect(!changes.hasChanges { $0.lines.count } && changes.hasChanges { ($0.lines.count, $0.lines.last) })
    let first = Changes(current: old, previous: nil)
    #expect(first.hasChanges { $0.lines }, "the first delivery counts as changed")
    first.ifChanged(\.lines, comparing: .always) { seen = $0 }
    #expect(seen == ["a", "b"])
  }

  @Test func `properties of the current state are read directly`() {
    let changes = Changes(current: Person(age: 37), previous: Person())
    #expect(changes.age == 37)
    #expect(changes.previous?.age == 36)
  }
}
