import Arbor
import ArborRequests
import ArborTesting
import TestSupport

/// A store with a cache, its server, and a clock in hand.
final class RequestWorld: Sendable {
  let executor = ManualExecutor()
  let clock = TestClock()
  let server: Server
  let number: Request<Int, Int>
  let slow: Request<Int, Int>
  let list: Request<NoValue, Pages<Int, [Int]>>
  let names: Request<String, [Person.ID]>
  let person: Request<Person.ID, Person>
  let add: Change<Addition, Int>
  let rename: Change<Person, Int>
  let mark: Change<Int, Int>
  let factory: StoreFactory<Requests, RequestAction>

  struct Addition: Codable, Equatable, Sendable {
    var id = 1
    let amount: Int
  }

  struct Person: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var age: Int
  }

  init(
    _ cache: Requests = Requests(),
    freshFor: Duration? = .seconds(10),
    every interval: Duration? = nil,
    retries: Int = 0,
    timeout: Duration? = nil
  ) {
    let server = Server()
    let number = Request<Int, Int>(
      "number",
      freshFor: freshFor,
      keptFor: .seconds(60),
      retries: retries,
      backoff: .constant(.seconds(1)),
      every: interval,
      timeout: timeout,
      tags: { id, _ in [RequestTag("number", id)] },
      fetch: { id in try await server.call("number \(id)") }
    )
    let slow = Request<Int, Int>(
      "slow",
      tags: { _, value in [RequestTag("parity", value % 2)] },
      fetch: { id in try await server.call("slow \(id)") }
    )
    let list = Request<NoValue, Pages<Int, [Int]>>(
      pages: "list",
      first: 10,
      next: { page in page[0] < 20 ? page[0] + 1 : nil },
      previous: { page in page[0] > 8 ? page[0] - 1 : nil },
      atMost: 3,
      freshFor: freshFor,
      tags: { _, page in page.map { RequestTag("number", $0) } },
      fetch: { _, cursor in [cursor, try await server.call("page \(cursor)")] }
    )
    // The answer 12 are the persons 1 and 2, whose ages are 12.
    let person = Request<Person.ID, Person>(
      "person",
      freshFor: freshFor,
      tags: { id, _ in [RequestTag("person", id)] },
      fetch: { id in Person(id: id, age: try await server.call("person \(id)")) }
    )
    let names = Request<String, [Person]>("names", freshFor: freshFor) { letter in
      let answer = try await server.call("names \(letter)")
      return "\(answer)".compactMap(\.wholeNumberValue).map { Person(id: $0, age: answer) }
    }
    .normalized { persons in RequestAnswer(persons.map(\.id)).providing(person, persons) }
    let rename = Change<Person, Int>(
      "rename",
      optimistic: { new in [person.patch(new.id) { $0 = new }] },
      send: { new, _ in try await server.call("rename \(new.id)") }
    )
    let add = Change<Addition, Int>(
      "add",
      inOrder: { RequestTag("number", $0.id) },
      invalidates: { [RequestTag("number", $0.id)] },
      optimistic: { input in [number.patch(input.id) { $0 += input.amount }] },
      send: { input, _ in try await server.call("add \(input.amount)") }
    )
    let mark = Change<Int, Int>(
      "mark",
      optimistic: { number in
        [names.patch("a") { $0.append(number) }, list.patch(NoValue()) { $0.changeEach { $0.append(number) } }]
      },
      send: { number, _ in try await server.call("mark \(number)") }
    )
    (self.server, self.number, self.slow, self.add) = (server, number, slow, add)
    (self.list, self.names, self.person) = (list, names, person)
    (self.rename, self.mark) = (rename, mark)
    factory = StoreFactory(
      initialState: cache,
      feature: Requests.feature(number, slow, list, names, person, add, rename, mark),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    executor.run()
  }

  var store: Store<Requests, RequestAction> { factory.rootStore() }

  func send(_ action: RequestAction) {
    store.dispatch(action)
    executor.run()
  }

  func answer(_ name: String, _ value: Int) {
    server.answer(name, value)
    executor.run()
  }

  func fail(_ name: String) {
    server.fail(name)
    executor.run()
  }

  /// Runs work until another task has called the server.
  func untilCalled() async {
    while server.open.isEmpty {
      await Task.yield()
      executor.run()
    }
  }

  /// Advances the clock and runs the due work.
  func pass(_ seconds: Double) {
    clock.advance(by: .seconds(seconds))
    executor.run()
  }

  /// Observes a number.
  func observe(_ id: Int = 1) -> Derived<RequestState<Int>> {
    let observed = store.request(number, id)!
    executor.run()
    return observed
  }
}
