import Arbor
import ArborTesting
import Dispatch

/// The cost of interceptors, and of tasks.
let effectRows =
  [1, 3, 10].map { count in
    Row(
      workload: "a chain of \(count) passing interceptor\(count == 1 ? "" : "s")",
      limit: "as many calls of a stored closure",
      budget: 2
    ) { scale in
      let actions = scale.count(300_000)
      let passing = Interceptor<Counter, CounterAction> { action, _ in
        if case .add(.min) = action { .drop } else { .pass }
      }
      let factories = [count, 0].map { count in
        StoreFactory(
          initialState: Counter(),
          interceptors: Array(repeating: passing, count: count),
          reducer: Counter.reducer
        )
      }
      let list = ClosureList<Counter>()
      for _ in 0..<count { list.add { $0.count == .min } }
      return (
        work: {
          let times = factories.map { factory in
            nanoseconds(perOperationOf: actions) { factory.dispatch(count: actions) }
          }
          return times[0] - times[1]
        },
        limit: {
          nanoseconds(perOperationOf: actions) {
            var state = Counter()
            for index in 0..<actions {
              state.reduce(.add(index))
              consume(list.callAll(with: state))
            }
          }
        }
      )
    }
  } + [
    Row(workload: "an interceptor that sends one action for each", limit: "a plain action", budget: 2.2) { scale in
      let actions = scale.count(300_000)
      let sending = StoreFactory<Counter, CounterAction>(
        initialState: Counter(),
        interceptor: { action, dispatch in
          if case .add(let index) = action, index >= 0 { dispatch(.add(-1)) }
        },
        reducer: Counter.reducer
      )
      let plain = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
      func flood(_ factory: StoreFactory<Counter, CounterAction>) -> Double {
        nanoseconds(perOperationOf: actions) {
          factory.whileHeld {
            for index in 0..<actions { factory.dispatch(.add(index)) }
          }
          // Reading the state waits for the actions that the interceptor has sent last.
          consume(factory.state)
        }
      }
      return (work: { flood(sending) }, limit: { flood(plain) })
    },
    Row(
      workload: "a keyed task, started and finished, and its hop back",
      limit: "the same of a bare Task in an interceptor",
      budget: 1.5
    ) { scale in
      let tasks = scale.count(2000)
      // Each task sends the action that starts the next one.
      let keyed = StoreFactory<Int, Int>(
        initialState: 0,
        effects: { _, action in
          action == 0 ? .none : .run(key: 1) { dispatch in dispatch(action - 1) }
        },
        reducer: { $0 = $1 }
      )
      let bare = StoreFactory<Int, Int>(
        initialState: 0,
        interceptor: { action, dispatch in
          if action != 0 { Task.detached { dispatch(action - 1) } }
        },
        reducer: { $0 = $1 }
      )
      func chain(_ factory: StoreFactory<Int, Int>) -> Double {
        nanoseconds(perOperationOf: tasks) {
          waitFor {
            factory.dispatch(tasks)
            _ = await factory.state(where: { $0 == 0 })
          }
        }
      }
      return (work: { chain(keyed) }, limit: { chain(bare) })
    },
    Row(workload: "a keyed task begun and cancelled beside 10,000", limit: "beside 10", budget: 1.5) {
      scale in
      let tasks = scale.count(5000)
      // Run by hand, so that no other thread takes part.
      let stores = [scale.count(10_000), 10].map { running in
        let executor = ManualExecutor()
        let factory = StoreFactory(initialState: Counter(), executor: executor, reducer: Counter.reducer)
        for key in 0..<running { factory.task(key: key) { _ in await untilCancelled() } }
        executor.run()
        return (factory, executor)
      }
      func startAndCancel(_ factory: StoreFactory<Counter, CounterAction>, _ executor: ManualExecutor) -> Double {
        let store = factory.rootStore()
        return nanoseconds(perOperationOf: tasks) {
          for _ in 0..<tasks {
            store.task(key: -1) { _ in await untilCancelled() }
            executor.run()
            store.cancel(-1)
            executor.run()
          }
        }
      }
      return (
        work: { startAndCancel(stores[0].0, stores[0].1) },
        limit: { startAndCancel(stores[1].0, stores[1].1) }
      )
    },
  ]

/// Suspends until the task is cancelled.
private func untilCancelled() async {
  let never = AsyncStream<Never> { _ in }
  for await _ in never {}
}

/// Runs asynchronous work at the priority of detached tasks, and returns when it has ended.
private func waitFor(_ work: @escaping @Sendable () async -> Void) {
  let done = DispatchSemaphore(value: 0)
  Task.detached {
    await work()
    done.signal()
  }
  done.wait()
}
