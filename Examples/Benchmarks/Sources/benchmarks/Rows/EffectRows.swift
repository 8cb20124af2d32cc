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
          feature: Feature(interceptors: Array(repeating: passing, count: count), reducer: Counter.reducer)
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
          // Reading the state waits for the last actions that the interceptor has sent.
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
        feature: Feature(
          effects: { _, action in
            action == 0 ? .none : .run(key: 1) { dispatch in dispatch(action - 1) }
          },
          reducer: { $0 = $1 }
        )
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
    Row(workload: "a keyed task started and canceled, next to 10,000", limit: "next to 10", budget: 1.5) {
      scale in
      let tasks = scale.count(5000)
      // Run manually, so that no other thread takes part.
      let stores = [scale.count(10_000), 10].map { running in
        let executor = ManualExecutor()
        let factory = StoreFactory(
          initialState: Counter(),
          settings: TreeSettings(executor: executor),
          reducer: Counter.reducer
        )
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
    Row(workload: "an action next to 10,000 rows with a task each", limit: "next to none", budget: 1.5) { scale in
      let actions = scale.count(300_000)
      let pages = [scale.count(10_000), 0].map { tasks in
        let page = WaitingPage(rows: scale.count(10_000))
        page.start(tasks)
        return page
      }
      func send(_ page: WaitingPage) -> Double {
        nanoseconds(perOperationOf: actions) {
          for _ in 0..<actions { page.factory.dispatch(-1) }
          consume(page.factory.state)
        }
      }
      return (work: { send(pages[0]) }, limit: { send(pages[1]) })
    },
    Row(workload: "an action of one of 10,000 rows with a task each", limit: "of one row", budget: 1.5) { scale in
      let actions = scale.count(100_000)
      let pages = [scale.count(10_000), 1].map { rows in
        let page = WaitingPage(rows: rows)
        page.start(rows)
        return page
      }
      func send(_ page: WaitingPage) -> Double {
        nanoseconds(perOperationOf: actions) {
          for _ in 0..<actions { page.factory.dispatch(0) }
          consume(page.factory.state)
        }
      }
      return (work: { send(pages[0]) }, limit: { send(pages[1]) })
    },
    Row(workload: "the tasks of a row canceled, next to 10,000 rows with one each", limit: "next to none", budget: 1.5)
    {
      scale in
      let actions = scale.count(30_000)
      let pages = [scale.count(10_000), 0].map { tasks in
        let page = WaitingPage(rows: scale.count(10_000))
        page.start(tasks)
        return page
      }
      func cancel(_ page: WaitingPage) -> Double {
        nanoseconds(perOperationOf: actions) {
          for _ in 0..<actions { page.factory.dispatch(3) }
          consume(page.factory.state)
        }
      }
      return (work: { cancel(pages[0]) }, limit: { cancel(pages[1]) })
    },
    Row(workload: "a task of a row, started as one of 4,000", limit: "as one of 400", budget: 1.5) { scale in
      func startAll(_ rows: Int) -> Double {
        let page = WaitingPage(rows: rows)
        return nanoseconds(perOperationOf: rows) { page.start(rows) }
      }
      return (work: { startAll(scale.count(4000)) }, limit: { startAll(scale.count(400)) })
    },
    Row(workload: "a flood of tasks that replace each other, in a row", limit: "in the store", budget: 2) { scale in
      let tasks = scale.count(4000)
      func flood(_ feature: Feature<[WaitingPage.Line], Int>) -> Double {
        let page = WaitingPage(rows: 1, feature)
        return nanoseconds(perOperationOf: tasks) {
          for _ in 0..<tasks { page.factory.dispatch(1) }
          page.executor.run()
        }
      }
      return (work: { flood(WaitingPage.rowTasks) }, limit: { flood(WaitingPage.ownTasks) })
    },
  ]

/// A page of rows, each of which may have a lasting task. It is run manually, so that no other thread takes part.
private struct WaitingPage {
  struct Line: Identifiable, Sendable {
    let id: Int
    var count = 0
  }

  /// An action is the id of a row, and starts a task of the row if it has none. An odd action is for the first row: 1
  /// starts a task in place of the previous one, and 3 cancels all tasks. Negative actions are for no row.
  static let rowTasks = Feature<Line, Int>(
    effects: { line, action in
      if action == 1 { return .run(key: 1, mode: .dropCurrent) { _ in await untilCancelled() } }
      if action == 3 { return .cancelAll() }
      return line.count == 1 ? .run { _ in await untilCancelled() } : .none
    },
    reducer: { line, _ in line.count += 1 }
  ).forEach(\[Line].self, action: { id, _ in id }, extract: { $0 < 0 ? nil : ($0 % 2 == 1 ? 0 : $0, $0) })

  static let ownTasks = Feature<[Line], Int>(
    effects: { _, _ in .run(key: 1, mode: .dropCurrent) { _ in await untilCancelled() } },
    reducer: { lines, _ in lines[0].count += 1 }
  )

  let executor = ManualExecutor()
  let factory: StoreFactory<[Line], Int>

  init(rows: Int, _ feature: Feature<[Line], Int> = rowTasks) {
    factory = StoreFactory(
      initialState: (0..<rows).map { Line(id: 2 * $0) },
      feature: feature,
      settings: TreeSettings(executor: executor)
    )
  }

  /// Starts a task for each of some rows.
  func start(_ count: Int) {
    for row in 0..<count { factory.dispatch(2 * row) }
    executor.run()
  }
}

/// Suspends until the task is canceled.
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
