import Arbor
import ArborDevTools
import ArborEntities
import ArborTesting

/// A person, whose id belongs only to persons.
struct Person: Identifiable, Hashable, Sendable {
  let id: TypedID<Person, Int>
  var name: String
  var age = 30
}

/// A program whose state consists of the library's own types.
struct Office: Equatable, Sendable {
  var people: EntityTable<Person> = [Person(id: 1, name: "Ann")]
  var head: Person.ID?
  var upload = JobState()
  var wrapped = [Stamped(wrappedValue: 1)]
  var backoff: EffectBackoff? = EffectBackoff.none
  @Stamped var notes = [String]()

  static func == (left: Office, right: Office) -> Bool {
    left.people == right.people && left.head == right.head && left.upload == right.upload
      && left.wrapped.map(\.wrappedValue) == right.wrapped.map(\.wrappedValue) && left.backoff == right.backoff
      && left.notes == right.notes
  }

  /// The changes to make, one after the other.
  static let changes: [@Sendable (inout Office) throws -> Void] = [
    { try $0.people.insert(Person(id: 2, name: "Bob \"the\" builder")) },
    { try $0.people.update(1) { $0.name = "Anna" } },
    { try $0.people.update(2) { ($0.name, $0.age) = ("Bob", 31) } },
    {
      $0.people.remove(1)
      try $0.people.insert(Person(id: 3, name: "Cy", age: 1_234_567))
    },
    { $0.head = 3 }, { $0.head = nil },
    {
      $0.people.remove(2)
      try $0.people.insert(Person(id: 2, name: "Again"))
    },
    { $0.people.removeAll() },
    { $0.upload.run() }, { $0.upload.succeed() },
    {
      let backoff = EffectBackoff.exponential(initial: .seconds(1)).capped(at: .seconds(9))
      $0.upload.run(maxAttempts: 2, backoff: backoff, delay: .seconds(3))
    },
    { $0.upload.retryOrFail("no \"answer\"") }, { $0.upload.retryOrFail("no \"answer\"") },
    { $0.upload.restart() },
    { $0.upload.restart(maxAttempts: 3, backoff: .linear(initial: .zero, step: .milliseconds(1500))) },
    { $0.upload.cancel() }, { $0.upload.reset() },
    {
      $0.upload.run()
      $0.upload.fail("at once")
    },
    { $0.wrapped[0].wrappedValue = 2 }, { $0.wrapped.append(Stamped(wrappedValue: -3)) },
    { $0.backoff = .constant(.seconds(2)).jittered(by: 0.5, seed: 1_000_000) }, { $0.backoff = nil },
    { $0.notes.append("a") }, { _ in },
  ]

  /// The text of a test file that performs all of it, and of one that begins in the middle.
  static func file() throws -> String {
    let (executor, monitor) = (ManualExecutor(), RunMonitor<Office, OfficeAction>())
    let factory = StoreFactory(
      initialState: Office(),
      feature: office,
      settings: TreeSettings(monitors: [monitor], executor: executor)
    )
    for number in changes.indices {
      factory.dispatch(.work(number, by: TypedID(number)))
      executor.run()
    }
    let steps = monitor.steps
    var functions: [String] = []
    for (name, start) in [("all of it", 0), ("from a running job on", 12), ("from a job that was reset on", 17)] {
      var state = Office()
      for change in changes.prefix(start) { try change(&state) }
      var source = TestSource(name: name, initialState: state, steps: Array(steps[start...]))
      source.makeStore = "TestStore(initialState: …, feature: office)"
      functions.append(try source.function())
    }
    return TestFile(suite: "OfficeTests", modules: ["ArborEntities"]).text(of: functions)
  }
}

enum OfficeAction: Equatable, Sendable {
  case work(Int, by: Person.ID)
}

let office = Feature<Office, OfficeAction> { state, action in
  guard case .work(let number, _) = action else { return }
  try! Office.changes[number](&state)
}
