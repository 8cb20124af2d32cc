import Arbor

/// What an observer costs, called and idle.
let observerRows = [
  Row(workload: "one more observer", limit: "a call of a stored closure", budget: 2) { scale in
    let (few, many, actions) = (1, 101, scale.count(20_000))
    let factories = [few, many].map { observers in
      let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
      for _ in 0..<observers {
        factory.subscribe(observer: Observer { $0.count == .min ? .dead : .active })
      }
      return factory
    }
    let list = ClosureList<Counter>()
    for _ in 0..<(many - few) { list.add { $0.count == .min } }
    return (
      work: {
        let times = factories.map { factory in
          nanoseconds(perOperationOf: actions) {
            factory.dispatch(count: actions)
          }
        }
        return (times[1] - times[0]) / Double(many - few)
      },
      limit: {
        nanoseconds(perOperationOf: actions * (many - few)) {
          var state = Counter()
          for index in 0..<actions {
            state.reduce(.add(index))
            consume(list.callAll(with: state))
          }
        }
      }
    )
  },
  Row(workload: "an idle observer (bytes)", limit: "fixed", budget: 1) { scale in
    let count = scale.count(100_000)
    return (
      work: {
        let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
        let store = factory.rootStore()
        consume(factory.state)
        guard let before = allocatedBytes() else { return nil }
        for _ in 0..<count {
          store.subscribe(observer: Observer { $0.count == .min ? .dead : .active })
        }
        consume(factory.state)
        return allocatedBytes().map { Double($0 - before) / Double(count) }
      },
      limit: { 200 }
    )
  },
]
