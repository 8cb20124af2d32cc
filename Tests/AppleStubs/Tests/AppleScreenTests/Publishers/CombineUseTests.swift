import Arbor
import ArborTesting
import ArborUI
import Combine
import Testing

@Suite("Typical uses of publishers")
struct CombineUseTests {
  let executor = ManualExecutor()

  @Test func `sink receives mapped states without repetitions until its cancellable is released`() {
    let factory = StoreFactory.counter(on: executor)
    let counts = Log<Int>()
    var cancellables: Set<AnyCancellable> = []
    factory.publisher
      .map(\.count)
      .removeDuplicates()
      .sink { count in counts.append(count) }
      .store(in: &cancellables)
    factory.dispatch(.add(1))
    factory.dispatch(.show(1))
    factory.dispatch(.add(1))
    executor.run()
    #expect(counts.entries == [0, 1, 2])
    cancellables = []
    factory.dispatch(.add(1))
    executor.run()
    #expect(counts.entries == [0, 1, 2])
  }

  @Test func `assign writes each state to an object`() {
    final class Screen {
      var title = ""
    }
    let factory = StoreFactory.counter(on: executor)
    let screen = Screen()
    let cancellable = factory.derived(\.count).publisher.map { "Count: \($0)" }.assign(to: \.title, on: screen)
    #expect(screen.title == "Count: 0")
    factory.dispatch(.add(2))
    executor.run()
    #expect(screen.title == "Count: 2")
    withExtendedLifetime(cancellable) {}
  }

  @Test func `zip pairs each state of one tree with one of another, and finishes with the first to finish`() {
    var left = Optional(StoreFactory.counter(on: executor))
    let right = StoreFactory.counter(on: executor)
    let pairs = Log<[Int]>()
    let completions = Log<Int>()
    let cancellable = left!.publisher.zip(right.publisher) { [$0.count, $1.count] }
      .sink(receiveCompletion: { _ in completions.append(1) }, receiveValue: { pairs.append($0) })
    // Zip requests after it is subscribed to both.
    executor.run()
    #expect(pairs.entries == [[0, 0]])
    for _ in 1...2 { left?.dispatch(.add(1)) }
    executor.run()
    right.dispatch(.add(10))
    executor.run()
    #expect(pairs.entries == [[0, 0], [1, 10]])
    right.dispatch(.add(10))
    executor.run()
    #expect(pairs.entries == [[0, 0], [1, 10], [2, 20]])
    #expect(completions.entries.isEmpty)
    left = nil
    #expect(completions.entries == [1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `switchToLatest follows the value that the state names`() {
    let factory = StoreFactory.counter(on: executor)
    let (even, odd) = (StoreFactory.counter(on: executor), StoreFactory.counter(on: executor))
    let counts = Log<Int>()
    let cancellable = factory.publisher.map(\.count)
      .map { count in (count.isMultiple(of: 2) ? even : odd).publisher.map { $0.count } }
      .switchToLatest()
      .sink { counts.append($0) }
    even.dispatch(.add(2))
    executor.run()
    odd.dispatch(.add(1))
    factory.dispatch(.add(1))
    executor.run()
    for other in [even, odd] { other.dispatch(.add(2)) }
    executor.run()
    #expect(counts.entries == [0, 2, 1, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `first ends the observation with the matching state`() {
    let factory = StoreFactory.counter(on: executor)
    let calls = Log<Int>()
    let store = factory.scopeStore { state -> Int in
      calls.append(state.count)
      return state.count
    }
    let counts = Log<Int>()
    let cancellable = store.publisher.first { $0 > 0 }.sink { counts.append($0) }
    for _ in 1...3 { factory.dispatch(.add(1)) }
    executor.run()
    #expect(counts.entries == [1])
    #expect(calls.entries == [0, 1])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `values read as an asynchronous sequence are the newest, and end with the owner`() async {
    var factory: StoreFactory<Counter, CounterAction>? = .counter()
    var values = factory!.publisher.map(\.count).values.makeAsyncIterator()
    #expect(await values.next() == 0)
    for _ in 1...3 { await factory?.dispatchAndWait(.add(1)) }
    #expect(await values.next() == 3)
    factory = nil
    #expect(await values.next() == nil)
  }

  @Test func `flatMap that takes one value at a time receives the newest state next`() throws {
    let factory = StoreFactory.counter(on: executor)
    var requests: [PassthroughSubject<Int, Never>] = []
    let answers = Log<Int>()
    let cancellable = factory.publisher.map(\.count)
      .flatMap(maxPublishers: .max(1)) { count in
        let subject = PassthroughSubject<Int, Never>()
        requests.append(subject)
        return subject.map { _ in count }
      }
      .sink { answers.append($0) }
    for _ in 1...3 { factory.dispatch(.add(1)) }
    executor.run()
    for index in 0...1 {
      try #require(requests.count == index + 1)
      requests[index].send(1)
      requests[index].send(completion: .finished)
      executor.run()
    }
    #expect(answers.entries == [0, 3])
    withExtendedLifetime(cancellable) {}
  }

  @Test func `an observable object shows the state`() {
    final class Model: ObservableObject {
      @Published var count = -1
    }
    let factory = StoreFactory.counter(on: executor)
    let model = Model()
    let cancellable = factory.publisher.map(\.count).sink { [weak model] in model?.count = $0 }
    factory.dispatch(.add(1))
    executor.run()
    #expect(model.count == 1)
    withExtendedLifetime(cancellable) {}
  }
}
