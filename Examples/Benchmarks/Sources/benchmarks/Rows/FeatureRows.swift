import Arbor
import ArborEntities

/// The cost of a program made of features.
let featureRows =
  [
    Row(workload: "the last of 20 features", limit: "an array of 20 closures with `if case`", budget: 1.3) { scale in
      lastOfTwenty(scale, Many.app { _, _ in Feature(reducer: Many.reduce) })
    },
    Row(
      workload: "the last of 20 features with effects",
      limit: "an array of 20 closures with `if case`",
      budget: 2
    ) { scale in
      lastOfTwenty(scale, Many.app { _, _ in Feature(effects: Many.effects, reducer: Many.reduce) })
    },
    Row(workload: "effects declared, and none returned", limit: "no effects", budget: 1.3) { scale in
      let actions = scale.count(300_000)
      let factories = [
        StoreFactory(
          initialState: Counter(),
          feature: Feature(effects: { _, _ in .none }, reducer: Counter.reducer)
        ),
        StoreFactory(initialState: Counter(), reducer: Counter.reducer),
      ]
      func change(_ factory: StoreFactory<Counter, CounterAction>) -> Double {
        nanoseconds(perOperationOf: actions) {
          factory.whileHeld {
            for index in 0..<actions { factory.dispatch(.add(index)) }
          }
        }
      }
      return (work: { change(factories[0]) }, limit: { change(factories[1]) })
    },
    Row(workload: "an app of 100 features made", objects: 33_000, budget: 1) { _ in
      {
        nanoseconds(perOperationOf: 1) {
          let features = (0..<100).map { number in
            Feature<Part, PartAction>(
              interceptors: [Interceptor { _, _ in .pass }],
              effects: Many.effects,
              reducer: Many.reduce
            )
            .scoped(
              toOptional: \Many.State.optional,
              action: { Many.Action.part(number, $0) },
              extract: { (action: Many.Action) in if case .part(number, let part) = action { part } else { nil } }
            )
          }
          let feature = Feature<Many.State, Many.Action>.combined(features)
          consume(StoreFactory(initialState: Many.State(), feature: feature))
        }
      }
    },
  ] + [
    inPlaceRow("ten scopes", Deep.feature) { (count: Int) in Deep.state(size: count) },
    inPlaceRow("a case of an enum", Deep.caseFeature) { (count: Int) in
      .some(Held(array: Array(repeating: 0, count: count)))
    },
    Row(workload: "one element of an array of 1,000,000 by forEach", limit: "of an array of 100", budget: 1.1) {
      scale in
      elementRow(scale, Deep.element.forEach(\.self, action: ElementAction.init, extract: { ($0.id, $0.action) })) {
        count in (0..<count).map { Element(id: $0) }
      }
    },
    Row(workload: "one record of a table of 1,000,000 by forEach", limit: "of a table of 100", budget: 1.5) { scale in
      elementRow(scale, Deep.element.forEach(\.self, action: ElementAction.init, extract: { ($0.id, $0.action) })) {
        count in try! EntityTable((0..<count).map { Element(id: $0) })
      }
    },
  ]

private struct Part: Sendable {
  var count = 0
}

private enum PartAction: Sendable {
  case add(Int)
}

/// A program of twenty features, each with its own part.
private enum Many {
  struct State: Sendable {
    var parts = (
      Part(), Part(), Part(), Part(), Part(), Part(), Part(), Part(), Part(), Part(),
      Part(), Part(), Part(), Part(), Part(), Part(), Part(), Part(), Part(), Part()
    )
    var optional: Part?
  }

  enum Action: Sendable {
    case part(Int, PartAction)
    case other
  }

  static let reduce: Reducer<Part, PartAction> = { state, action in
    switch action {
    case .add(let number): state.count &+= number
    }
  }

  static let effects: @Sendable (Part, PartAction) -> Effect<PartAction> = { _, _ in .none }

  static let paths: [any WritableKeyPath<State, Part> & Sendable] = [
    \.parts.0, \.parts.1, \.parts.2, \.parts.3, \.parts.4, \.parts.5, \.parts.6, \.parts.7, \.parts.8, \.parts.9,
    \.parts.10, \.parts.11, \.parts.12, \.parts.13, \.parts.14, \.parts.15, \.parts.16, \.parts.17, \.parts.18,
    \.parts.19,
  ]

  static func app(
    _ make: (Int, any WritableKeyPath<State, Part> & Sendable) -> Feature<Part, PartAction>
  ) -> Feature<State, Action> {
    Feature<State, Action>.combined(
      paths.enumerated().map { number, path in
        make(number, path).scoped(
          to: path,
          action: { .part(number, $0) },
          extract: { if case .part(number, let action) = $0 { action } else { nil } }
        )
      }
    )
  }

  /// The same program as an array of plain reducers.
  static let closures: [Reducer<State, Action>] = [
    { if case .part(0, let action) = $1 { reduce(&$0.parts.0, action) } },
    { if case .part(1, let action) = $1 { reduce(&$0.parts.1, action) } },
    { if case .part(2, let action) = $1 { reduce(&$0.parts.2, action) } },
    { if case .part(3, let action) = $1 { reduce(&$0.parts.3, action) } },
    { if case .part(4, let action) = $1 { reduce(&$0.parts.4, action) } },
    { if case .part(5, let action) = $1 { reduce(&$0.parts.5, action) } },
    { if case .part(6, let action) = $1 { reduce(&$0.parts.6, action) } },
    { if case .part(7, let action) = $1 { reduce(&$0.parts.7, action) } },
    { if case .part(8, let action) = $1 { reduce(&$0.parts.8, action) } },
    { if case .part(9, let action) = $1 { reduce(&$0.parts.9, action) } },
    { if case .part(10, let action) = $1 { reduce(&$0.parts.10, action) } },
    { if case .part(11, let action) = $1 { reduce(&$0.parts.11, action) } },
    { if case .part(12, let action) = $1 { reduce(&$0.parts.12, action) } },
    { if case .part(13, let action) = $1 { reduce(&$0.parts.13, action) } },
    { if case .part(14, let action) = $1 { reduce(&$0.parts.14, action) } },
    { if case .part(15, let action) = $1 { reduce(&$0.parts.15, action) } },
    { if case .part(16, let action) = $1 { reduce(&$0.parts.16, action) } },
    { if case .part(17, let action) = $1 { reduce(&$0.parts.17, action) } },
    { if case .part(18, let action) = $1 { reduce(&$0.parts.18, action) } },
    { if case .part(19, let action) = $1 { reduce(&$0.parts.19, action) } },
  ]
}

/// The time of an action of the last feature beyond that of a store without a reducer, compared with a loop over
/// closures.
private func lastOfTwenty(
  _ scale: Scale,
  _ feature: Feature<Many.State, Many.Action>
) -> (work: () -> Double, limit: () -> Double) {
  let actions = scale.count(100_000)
  let factories = [feature, Feature(reducer: { _, _ in })].map {
    StoreFactory(initialState: Many.State(), feature: $0)
  }
  return (
    work: {
      let times = factories.map { factory in
        nanoseconds(perOperationOf: actions) {
          factory.whileHeld {
            for index in 0..<actions { factory.dispatch(.part(19, .add(index))) }
          }
        }
      }
      return times[0] - times[1]
    },
    limit: {
      var state = Many.State()
      return nanoseconds(perOperationOf: actions) {
        for index in 0..<actions {
          let action = Many.Action.part(19, .add(index))
          for closure in Many.closures { closure(&state, action) }
        }
        consume(state)
      }
    }
  )
}

private struct Held: Sendable {
  var array: [Int]
}

private struct Level<Inner: Sendable>: Sendable {
  var inner: Inner
}

private struct Element: Identifiable, Sendable {
  let id: Int
  var count = 0
}

private struct ElementAction: Sendable {
  let id: Int
  let action: Int
}

private enum Deep {
  typealias Five<Inner: Sendable> = Level<Level<Level<Level<Level<Inner>>>>>

  enum Case: Sendable {
    case none
    case some(Held)

    var some: Held? { if case .some(let held) = self { held } else { nil } }
  }

  static let leaf = Feature<Held, Int>(reducer: { state, index in state.array[index] &+= 1 })
  static let element = Feature<Element, Int>(reducer: { element, number in element.count &+= number })
  static let feature = five(five(leaf))
  static let caseFeature = leaf.scoped(toCase: Case.some, at: \.some, action: { $0 }, extract: { $0 })

  static func state(size: Int) -> Five<Five<Held>> {
    five(five(Held(array: Array(repeating: 0, count: size))))
  }

  static func level<Inner>(_ feature: Feature<Inner, Int>) -> Feature<Level<Inner>, Int> {
    feature.scoped(to: \.inner, action: { $0 }, extract: { $0 })
  }

  static func five<Inner>(_ feature: Feature<Inner, Int>) -> Feature<Five<Inner>, Int> {
    level(level(level(level(level(feature)))))
  }

  static func five<Inner>(_ inner: Inner) -> Five<Inner> {
    Level(inner: Level(inner: Level(inner: Level(inner: Level(inner: inner)))))
  }
}

private func inPlaceRow<State: Sendable>(
  _ name: String,
  _ feature: Feature<State, Int>,
  _ makeState: @escaping @Sendable (Int) -> State
) -> Row {
  Row(workload: "an array of 1,000,000 through \(name)", limit: "an array of 100", budget: 1.1) { scale in
    let actions = scale.count(300_000)
    let factories = [scale.count(1_000_000) + 100, 100].map {
      StoreFactory(initialState: makeState($0), feature: feature)
    }
    func change(_ factory: StoreFactory<State, Int>) -> Double {
      nanoseconds(perOperationOf: actions) {
        factory.whileHeld {
          for index in 0..<actions { factory.dispatch(index % 100) }
        }
      }
    }
    return (work: { change(factories[0]) }, limit: { change(factories[1]) })
  }
}

private func elementRow<State: Sendable>(
  _ scale: Scale,
  _ feature: Feature<State, ElementAction>,
  _ makeState: (Int) -> State
) -> (work: () -> Double, limit: () -> Double) {
  let actions = scale.count(300_000)
  let factories = [scale.count(1_000_000) + 100, 100].map {
    StoreFactory(initialState: makeState($0), feature: feature)
  }
  func change(_ factory: StoreFactory<State, ElementAction>) -> Double {
    nanoseconds(perOperationOf: actions) {
      factory.whileHeld {
        for index in 0..<actions { factory.dispatch(ElementAction(id: index % 100, action: 1)) }
      }
    }
  }
  return (work: { change(factories[0]) }, limit: { change(factories[1]) })
}
