import ArborDevTools
import Testing

@Suite("The names of actions in a trace")
struct CaseNameTests {
  private enum Plain: Sendable {
    case none
    case one(Int)
    case named(first: String, second: [Int])
    case `default`
  }

  private indirect enum Generic<Value: Sendable>: Sendable {
    case leaf
    case both(Generic, Value)
  }

  private enum Raw: String, Sendable {
    case hello = "good day"
  }

  private enum Mirrored: Sendable, CustomReflectable, CustomStringConvertible {
    case secret(String)

    var customMirror: Mirror { Mirror(self, children: ["hidden": 0], displayStyle: .struct) }
    var description: String { "nothing" }
  }

  private struct NoEnum: Sendable {}

  @Test func `an action is named by its case, regardless of its payload`() {
    let names: [(any Sendable, String)] = [
      (Plain.none, "none"), (Plain.one(1), "one"), (Plain.named(first: "a", second: []), "named"),
      (Plain.default, "default"), (Generic<Int>.leaf, "leaf"), (Generic.both(.leaf, "a"), "both"), (Raw.hello, "hello"),
      (Mirrored.secret("1234"), "secret"), (Optional(Plain.none), "some"),
    ]
    for (action, name) in names { #expect(TraceMonitor.name(action) == name) }
  }

  @Test func `a value that is not an enum is named by its type`() {
    #expect(TraceMonitor.name(NoEnum()) == "NoEnum")
    #expect(TraceMonitor.name(7) == "Int")
    #expect(TraceMonitor.name("add") == "String")
  }
}
