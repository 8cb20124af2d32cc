import Arbor

/// What a scoped store costs to make and drop.
let scopeRows = [
  Row(workload: "a scoped store made and dropped", limit: "fixed", budget: 1) { scale in
    let count = scale.count(300_000)
    let factory = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    let store = factory.rootStore()
    return (
      work: {
        nanoseconds(perOperationOf: count) {
          for _ in 0..<count { consume(store.scope(to: \.count)) }
        }
      },
      limit: { 150 }
    )
  }
]
