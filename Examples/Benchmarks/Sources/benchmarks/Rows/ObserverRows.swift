import Arbor

/// The cost of an observer: called with each action, and created and canceled.
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
  // Each waits for its first state: `observe` as guaranteed, the limit by reading the state.
  Row(
    workload: "observe and cancel",
    limit: "an observer subscribed, which ends in its first call, and the state read",
    budget: 1.3
  ) { scale in
    let count = scale.count(20_000)
    let store = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    return (
      work: {
        nanoseconds(perOperationOf: count) {
          let subscriptions = (0..<count).map { _ in store.observe { (state: Counter) in consume(state.count) } }
          for subscription in subscriptions { subscription.cancel() }
          consume(store.state)
        }
      },
      limit: {
        nanoseconds(perOperationOf: count) {
          for _ in 0..<count {
            store.subscribe(
              observer: Observer { state in
                consume(state.count)
                return .dead
              }
            )
            consume(store.state)
          }
        }
      }
    )
  },
]
