import Arbor
import ArborTesting
import TestSupport
import Testing

/// Joined comparisons, and comparisons that need no value.
@Suite("Equating")
struct EquatingTests {
  private struct State: Equatable, Sendable {
    var name = "a"
    var count = 0
    var other = 0
  }

  private let executor = ManualExecutor()

  /// The states that a subscriber receives, out of the given ones.
  private func received<Value: Sendable>(of values: [Value], removing duplicates: Equating<Value>) -> [Value] {
    let factory = StoreFactory<Value, Value>(
      initialState: values[0],
      settings: TreeSettings(executor: executor),
      reducer: { $0 = $1 }
    )
    let seen = RecordedValues<Value>()
    let subscription = factory.observe(removeDuplicates: duplicates) { (state: Value) in seen.append(state) }
    for value in values.dropFirst() { factory.dispatchAndWait(value) }
    subscription.cancel()
    return seen.values
  }

  @Test func `two joined comparisons must both find the values equal`() {
    let states = [
      State(), State(other: 1), State(name: "b", other: 1), State(name: "b", count: 1), State(name: "b", count: 1),
    ]
    #expect(received(of: states, removing: .by(\.name) && .by(\.count)) == [states[0], states[2], states[3]])
    #expect(received(of: states, removing: .by(\.name) && .always) == [states[0], states[2]])
    #expect(received(of: states, removing: .equatable && .never) == states)
  }

  @Test func `N8 joined comparisons both compare with the last delivered value`() {
    // Nearness is not transitive: if the first had kept 0 when 9 was delivered, 12 would be a change.
    let near = Equating<[Int]>.by { abs($0[0] - $1[0]) < 10 }
    let values = [[0, 0], [9, 1], [12, 1], [19, 1]]
    #expect(received(of: values, removing: near && .by { $0[1] }) == [[0, 0], [9, 1], [19, 1]])
  }

  @Test func `N8 joined comparisons each keep their part, not the whole state`() {
    let freed = RecordedValues<Int>()
    struct Holder: Sendable {
      var number: Int
      var object: Object
    }
    let factory = StoreFactory<Holder, Int>(
      initialState: Holder(number: 0, object: Object { freed.append(0) }),
      settings: TreeSettings(executor: executor),
      reducer: { state, action in state = Holder(number: action, object: Object { freed.append(action) }) }
    )
    let subscription = factory.observe(removeDuplicates: .by(\.number) && .by { $0.number / 10 }) { (_: Holder) in }
    factory.dispatchAndWait(1)
    factory.dispatchAndWait(1)
    #expect(freed.values == [0, 1])
    subscription.cancel()
  }

  @Test func `the first value is received even if all count as equal`() {
    #expect(received(of: [1, 2, 3], removing: .always) == [1])
    #expect(received(of: [1, 1, 2], removing: .never) == [1, 1, 2])
  }

  @Test func `the second comparison is not called for values that differ for the first`() {
    let asked = RecordedValues<Int>()
    let second = Equating<Int>.by { old, new in
      asked.append(new)
      return true
    }
    let comparison = Equating.by { (value: Int) in value / 10 } && second
    #expect(received(of: [1, 2, 11, 12], removing: comparison) == [1, 11])
    #expect(asked.values == [2, 12])
  }
}
