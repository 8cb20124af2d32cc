import Arbor
import ArborTesting
import TestSupport
import Testing

/// Selectors with an argument.
@Suite("Selector families")
struct SelectorFamilyTests {
  private struct Library: Equatable, Sendable {
    var titles = ["Emma", "Ulysses", "Dracula"]
    var visits = 0

    static let longerThan = StateSelector.family { (length: Int) in
      StateSelector(\Library.titles) { titles in titles.filter { $0.count > length } }
    }
  }

  /// An argument whose comparison uses the family itself, as user code may.
  private struct Curious: Hashable, Sendable {
    let number: Int
    let ask: @Sendable () -> Void

    static func == (left: Curious, right: Curious) -> Bool {
      left.ask()
      return left.number == right.number
    }

    func hash(into hasher: inout Hasher) { hasher.combine(number) }
  }

  private let factory = StoreFactory<Library, String?>(initialState: Library()) { state, action in
    state.visits += 1
    if let action { state.titles.append(action) }
  }

  @Test func `a store remembers an output for each argument`() {
    let store = factory.rootStore()
    for _ in 1...2 {
      #expect(factory.select(Library.longerThan(4)) == ["Ulysses", "Dracula"])
      #expect(factory.select(Library.longerThan(0)) == Library().titles)
      factory.dispatch(nil)
    }
    #expect(store.recomputations(of: Library.longerThan(4)) == 1)
    #expect(store.recomputations(of: Library.longerThan(0)) == 1)
    factory.dispatch("Middlemarch")
    #expect(factory.select(Library.longerThan(10)) == ["Middlemarch"])
    #expect(factory.select(Library.longerThan(4)) == ["Ulysses", "Dracula", "Middlemarch"])
    #expect(store.recomputations(of: Library.longerThan(4)) == 2)
  }

  @Test func `a selector of a family is an input and a derived value like any other`() {
    let count = StateSelector(Library.longerThan(4)) { $0.count }
    #expect(factory.select(count) == 2)
    let titles = factory.derived(Library.longerThan(6))
    factory.dispatchAndWait("Middlemarch")
    #expect(titles.value == ["Ulysses", "Dracula", "Middlemarch"])
  }

  @Test func `the most recently requested arguments are remembered, up to the limit`() {
    let made = RecordedValues<Int>()
    let selectors = StateSelector.family(limit: 3) { (number: Int) in
      made.append(number)
      return StateSelector(\Library.visits) { $0 + number }
    }
    for number in [1, 2, 3, 1, 4, 1, 3] { #expect(selectors(number)(Library()) == number) }
    #expect(made.values == [1, 2, 3, 4])
    _ = selectors(2)
    #expect(made.values == [1, 2, 3, 4, 2])
    _ = selectors(4)
    #expect(made.values == [1, 2, 3, 4, 2, 4], "it was the oldest")
    let single = StateSelector.family(limit: 0) { (number: Int) in StateSelector(\Library.visits) { $0 + number } }
    #expect(single(1)(Library()) == 1)
  }

  @Test func `forgotten outputs are freed, in the family and where they were read`() {
    let freed = RecordedValues<Int>()
    let selectors = StateSelector.family(limit: 2) { (number: Int) in
      let object = Object { freed.append(number) }
      return StateSelector(\Library.visits) { visits in withExtendedLifetime(object) { visits + number } }
    }
    for number in 1...100 { #expect(factory.select(selectors(number)) == number) }
    #expect(freed.values == Array(1...98))
  }

  @Test func `arguments may use the family in their own comparison, from any thread`() {
    let calls = RecordedValues<@Sendable () -> Void>()
    let selectors = StateSelector.family(limit: 4) { (argument: Curious) in
      StateSelector(\Library.visits) { $0 + argument.number }
    }
    let other = StateSelector.family { (number: Int) in StateSelector(\Library.visits) { $0 * number } }
    calls.append { _ = other(1) }
    onThreads(4) { thread in
      for number in 1...repetitions(200) {
        let argument = Curious(number: number % 6) { calls.values[0]() }
        #expect(selectors(argument)(Library()) == number % 6)
      }
    }
  }
}
