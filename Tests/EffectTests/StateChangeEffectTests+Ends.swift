import Arbor
import ArborTesting
import TestSupport
import Testing

// MARK: What is left of an effect that has ended

extension StateChangeEffectTests {
  private typealias Dispatch = @Sendable (SearchAction) -> Void

  @Test func `a change revokes actions that the effect of the last one sends after its task has ended`() {
    let kept = RecordedValues<Dispatch>()
    let factory = factory(StateEffect(onChange: \.query) { _ in .run { kept.append($0) } })
    executor.run()
    change(factory) { $0.query = "a" }
    kept.values[0](.note("in time"))
    executor.run()
    change(factory) { $0.query = "b" }
    kept.values[0](.note("late"))
    kept.values[1](.note("the last"))
    executor.run()
    #expect(factory.state.log == ["in time", "the last"])
  }

  @Test func `F3 actions of a part's effect sent after its task has ended are revoked with the part`() {
    struct Whole: Sendable { var part: Search? = Search() }
    let kept = RecordedValues<Dispatch>()
    let part = Feature<Search, SearchAction>(
      stateEffects: [StateEffect(onChange: \.query) { _ in .run { kept.append($0) } }],
      reducer: Self.reducer
    )
    let factory = StoreFactory<Whole, SearchAction?>(
      initialState: Whole(),
      feature: .combined(
        part.scoped(toOptional: \.part, action: { $0 }, extract: { $0 }),
        Feature { whole, action in if action == nil { whole.part = Search(id: 1) } }
      ),
      settings: TreeSettings(executor: executor)
    )
    executor.run()
    factory.dispatch(.change { $0.query = "a" })
    executor.run()
    factory.dispatch(nil)
    executor.run()
    kept.values[0](.note("of another"))
    executor.run()
    #expect(factory.state.part == Search(id: 1))
  }

  @Test func `F3 with initial, each part and each element that takes its place has a first state`() {
    struct Whole: Sendable { var parts: [Search] = [] }
    enum WholeAction {
      case part(Int, SearchAction)
      case set([Search])
    }
    let part = Feature<Search, SearchAction>(
      stateEffects: [StateEffect(onChange: \.query, initial: true) { state in .send(.note(state.query)) }],
      reducer: Self.reducer
    )
    let factory = StoreFactory<Whole, WholeAction>(
      initialState: Whole(parts: [Search(id: 1, query: "a")]),
      feature: .combined(
        part.forEach(\.parts, action: WholeAction.part) {
          if case .part(let id, let action) = $0 { (id, action) } else { nil }
        },
        Feature { whole, action in if case .set(let parts) = action { whole.parts = parts } }
      ),
      settings: TreeSettings(executor: executor)
    )
    func set(_ parts: Search...) {
      factory.dispatch(.set(parts))
      executor.run()
    }
    executor.run()
    #expect(factory.state.parts.map(\.log) == [["a"]])
    set(Search(id: 1, query: "a", log: ["a"]), Search(id: 2, query: "b"))
    #expect(factory.state.parts.map(\.log) == [["a"], ["b"]])
    set()
    set(Search(id: 1, query: "c"))
    #expect(factory.state.parts.map(\.log) == [["c"]])
  }

  @Test(arguments: [true, false])
  func `an effect that starts nothing makes no work, and lets the next one begin`(isNone: Bool) {
    let factory = factory(
      StateEffect(onChange: \.query, mode: .waitInCurrent) { state in
        isNone || state.query == "a" ? .none : .send(.note(state.query))
      }
    )
    executor.run()
    factory.dispatch(.change { $0.query = "a" })
    executor.step()
    #expect(executor.pending == 0)
    change(factory) { $0.query = "b" }
    #expect(factory.state.log == (isNone ? [] : ["b"]))
  }

  // MARK: What settles

  @Test func `settled ignores an open window of a throttle, but waits for an effect that waits for its end`() async {
    let factory = factory(
      StateEffect(onChange: \.query, mode: .throttle(.seconds(5), latest: true)) { .send(.note($0.query)) })
    executor.run()
    change(factory) { $0.query = "a" }
    #expect(await factory.settled() == [])
    change(factory) { $0.query = "b" }
    #expect(await factory.settled() != [])
    pass(5)
    #expect(await factory.settled() == [])
    #expect(factory.state.log == ["a", "b"])
    // The end of the last window.
    pass(5)
  }

  @Test(arguments: [true, false])
  func `settled does not wait for the delay of an ongoing effect`(isOngoing: Bool) async {
    let factory = factory(
      StateEffect(onChange: \.query, mode: .debounce(.seconds(5))) { _ in
        isOngoing ? .run { _ in }.ongoing : .run { _ in }
      })
    executor.run()
    change(factory) { $0.query = "a" }
    #expect(await factory.settled().isEmpty == isOngoing)
    pass(5)
    #expect(await factory.settled() == [])
  }

  @Test func `a waiting effect is canceled by a test that skips it`() async {
    let store = TestStore(
      initialState: "",
      feature: Feature<String, String>(
        stateEffects: [StateEffect(onChange: \.self, mode: .debounce(.seconds(5))) { _ in .send("late") }]
      ) { state, action in state = action },
      clock: clock
    )
    await store.send("a") { $0 = "a" }
    await store.skipRunningEffects()
    clock.advance(by: .seconds(5))
    await store.finish()
  }

  // MARK: Ids

  @Test func `an element whose id is not equal to itself has no effects, and leaves nothing`() {
    struct Row: Identifiable, Sendable {
      var id = Double.nan
      var isOn = true
    }
    let asked = RecordedValues<String>()
    let row = Feature<Row, Int>(
      stateEffects: [
        StateEffect(while: \.isOn) { _ in
          asked.append("while")
          return .run { _ in }
        },
        StateEffect(onChange: \.isOn) { _ in
          asked.append("change")
          return .none
        },
      ]
    )
    let factory = StoreFactory<[Row], Int>(
      initialState: [Row()],
      feature: .combined(
        row.forEach(\.self, action: { _, action in action }, extract: { _ in nil }),
        Feature { rows, _ in rows[0].isOn.toggle() }
      ),
      settings: TreeSettings(executor: executor)
    )
    // Each step would cost more than the previous one.
    for number in 0..<2_000 { factory.dispatch(number) }
    executor.run()
    #expect(asked.values == [])
  }
}
