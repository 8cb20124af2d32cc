import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Feature: elements")
struct FeatureElementTests {
  private func makeStore(_ ids: [Int]) -> StoreFactory<Shop.State, Shop.Action> {
    let rows = ids.map { Shop.Row(id: $0, counter: Shop.Counter()) }
    return StoreFactory(initialState: Shop.State(rows: rows), feature: Shop.app())
  }

  @Test func `an action belongs to the element with its id, wherever it has moved`() {
    let factory = makeStore(Array(0..<200))
    var random = SplitMix64(seed: 1)
    var counts = Array(repeating: 0, count: 200)
    for round in 0..<500 {
      let id = Int.random(in: 0..<200, using: &random)
      factory.dispatchAndWait(.row(id, .add(round)))
      counts[id] += round
      guard round.isMultiple(of: 50) else { continue }
      let seed = UInt64(round)
      factory.change {
        var random = SplitMix64(seed: seed)
        $0.rows.shuffle(using: &random)
      }
    }
    #expect(factory.state.rows.sorted { $0.id < $1.id }.map(\.counter.count) == counts)
  }

  @Test func `an action for a missing element changes nothing, and requests no effects`() {
    let log = RecordedValues<String>()
    let factory = StoreFactory(
      initialState: Shop.State(rows: [Shop.Row(id: 1)]),
      feature: Shop.app(log: log)
    )
    factory.dispatchAndWait(.row(2, .add(5)))
    factory.change { $0.rows = [] }
    factory.dispatchAndWait(.row(1, .load))
    #expect(factory.state == Shop.State(total: 2))
    #expect(log.values.isEmpty)
  }

  @Test func `actions of an element's effect go to that element`() {
    let factory = makeStore([1, 2, 3])
    factory.dispatchAndWait(.row(2, .add(4)))
    factory.dispatchAndWait(.row(2, .load))
    #expect(factory.state.rows.map(\.counter.loaded) == [0, 40, 0])
  }

  @Test func `an interceptor of an element reads and sends to its element, even later`() throws {
    let executor = ManualExecutor()
    let kept = RecordedValues<Interceptor<Shop.Row, Shop.CounterAction>.Context>()
    let row = Feature<Shop.Row, Shop.CounterAction>(
      interceptors: [
        Interceptor { action, context in
          kept.append(context)
          return action == .load ? .replace(with: .add(context.state.id)) : .pass
        }
      ]
    ) { row, action in if case .add(let number) = action { row.counter.count += number } }
    let factory = StoreFactory(
      initialState: Shop.State(rows: [1, 2, 3].map { Shop.Row(id: $0) }),
      feature: row.forEach(\Shop.State.rows, action: Shop.Action.row, extract: \.row),
      settings: TreeSettings(executor: executor)
    )
    factory.dispatchAndWait(.row(3, .load))
    factory.dispatchAndWait(.row(2, .load))
    let third = try #require(kept.values.first)
    #expect(third.state == Shop.Row(id: 3, counter: Shop.Counter(count: 3)))
    third.dispatch(.add(10))
    #expect(third.state.counter.count == 13)
    #expect(factory.state.rows.map(\.counter.count) == [0, 2, 13])
  }

  @Test func `elements of elements have separate places`() {
    struct Section: Equatable, Identifiable, Sendable {
      let id: String
      var rows: [Shop.Row]
    }
    struct Send: Sendable {
      let section: String
      let row: Int
      let action: Shop.CounterAction
    }
    struct SendRow: Sendable {
      let row: Int
      let action: Shop.CounterAction
    }
    let log = RecordedValues<String>()
    let clock = TestClock()
    let executor = ManualExecutor()
    let section = Shop.row(log: log, clock: clock)
      .forEach(\Section.rows, action: SendRow.init, extract: { ($0.row, $0.action) })
    let feature = section.forEach(\[Section].self) {
      Send(section: $0, row: $1.row, action: $1.action)
    } extract: {
      ($0.section, SendRow(row: $0.row, action: $0.action))
    }
    func rows(_ counts: Int...) -> [Shop.Row] {
      counts.enumerated().map { Shop.Row(id: $0, counter: Shop.Counter(count: $1)) }
    }
    let factory = StoreFactory(
      initialState: [Section(id: "a", rows: rows(1, 2)), Section(id: "b", rows: rows(3, 4))],
      feature: Feature<[Section], Send>.combined(
        feature,
        Feature { sections, action in if action.action == .add(-1) { sections.remove(at: 0) } }
      ),
      settings: TreeSettings(executor: executor)
    )
    for (section, row) in [("a", 0), ("a", 1), ("b", 0), ("b", 1)] {
      factory.dispatch(Send(section: section, row: row, action: .work))
    }
    executor.run()
    factory.dispatch(Send(section: "b", row: 1, action: .stop))
    executor.run()
    #expect(log.values.filter { $0.hasPrefix("cancelled") } == ["cancelled at 4"])
    factory.dispatch(Send(section: "", row: 0, action: .add(-1)))
    executor.run()
    #expect(
      Set(log.values.filter { $0.hasPrefix("cancelled") }) == ["cancelled at 4", "cancelled at 1", "cancelled at 2"])
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(
      factory.state == [
        Section(
          id: "b",
          rows: rows(3, 4).map { row in
            var row = row
            if row.id == 0 { row.counter.loaded = 3 }
            return row
          })
      ])
  }

  @Test func `a computed array is assigned only for an existing element`() {
    struct Whole: Sendable {
      var stored = [Shop.Row(id: 1)]
      var assignments = 0
      var rows: [Shop.Row] {
        get { stored }
        set {
          stored = newValue
          assignments += 1
        }
      }
    }
    let feature = Shop.row().forEach(\Whole.rows, action: Shop.Action.row, extract: \.row)
    let factory = StoreFactory(initialState: Whole(), feature: feature)
    factory.dispatchAndWait(.row(2, .add(1)))
    #expect(factory.state.assignments == 0)
    factory.dispatchAndWait(.row(1, .add(1)))
    #expect(factory.state.assignments == 1)
    #expect(factory.state.stored == [Shop.Row(id: 1, counter: Shop.Counter(count: 1))])
  }
}
