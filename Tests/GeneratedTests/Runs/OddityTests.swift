import Arbor
import ArborTesting
import Testing

struct OddityTests {
  @Test func `all of it`() async {
    let initialState = Oddity(
      step: 0,
      pair: (0, name: ""),
      rows: ["a": Row(id: 1, title: "", count: 1, note: nil), "b": nil],
      nested: [[Row(id: 1, title: "", count: 1, note: nil)], nil],
      errors: [Sampled.Refusal.offline],
      money: Sampled.Money(cents: 1),
      stamped: Address(street: "", city: ""),
      choice: nil,
      loose: Sampled.Loose(number: 1 as UInt8, label: Label.new, rest: Phase.Method.cash, count: 1)
    )
    let store = TestStore(initialState: initialState, feature: oddity)
    await store.send(.next) { $0.pair?.name = "a" }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 1 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.pair = nil }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 2 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.rows["a"]??.title = "b" }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 3 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.rows["b"] = nil }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 4 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.rows["a"] = .some(nil) }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 5 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.nested[0]?[0].title = "c" }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 6 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.nested[1] = [] }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 7 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.errors[0] = Sampled.Refusal.code(1) }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 8 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.money = Sampled.Money(cents: 2) }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 9 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.stamped.city = "d" }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 10 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.choice = (Sampled.Choice(rawValue: 2) as Sampled.Choice?)! }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 11 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.choice = nil }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 12 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.loose.number = Label.none }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 13 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next) { $0.loose.count = 2 }
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 14 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.send(.next)
    await store.receive(
      where: { if case .count = $0 { true } else { false } },
      { $0.step = 15 }
    )
    await store.receive(where: { if case .failed = $0 { true } else { false } })
    await store.finish()
  }
}
