import Arbor
import ArborDevTools
import Dispatch
import Foundation

/// The cost of recording, and of going back.
let recordingRows = [
  queueRow("an action with a Recorder, on the queue", objects: 10) {
    Recorder<Counter, CounterAction>(limit: 1_000_000)
  },
  queueRow("an action with a TraceMonitor, on the queue", objects: 7) { TraceMonitor { _ in } },
  Row(workload: "an action with a TraceMonitor, written off the queue", objects: 33, budget: 1) { scale in
    let count = scale.count(100_000)
    return {
      // The sink blocks the monitor at its first piece, so that almost everything is waiting when the measurement
      // begins.
      let isOpen = DispatchSemaphore(value: 0)
      let monitor = TraceMonitor(maximumWaiting: 2 * count) { _ in
        isOpen.wait()
        isOpen.signal()
      }
      let factory = StoreFactory(
        initialState: Counter(),
        settings: TreeSettings(monitors: [monitor]),
        reducer: Counter.reducer
      )
      let store = factory.rootStore()
      for index in 0..<count { store.dispatch(.add(index)) }
      consume(factory.state)
      return nanoseconds(perOperationOf: count) {
        isOpen.signal()
        monitor.flush()
      }
    }
  },
  entryRow("a recorded entry without its action (bytes)") { factory in
    { factory.dispatchAndWait(.add($0)) }
  },
  entryRow("a recorded entry of a child without its action (bytes)") { factory in
    let child = factory.childStore(initialState: Counter(), reducer: Counter.reducer)
    return { child.dispatchAndWait(.add($0)) }
  },
  Row(
    workload: "a jump among 100,000 entries (p95)", limit: Row.text(ofObjects: 33_000) + ", and 128 reductions",
    budget: 1
  ) { scale in
    let recording = recording(scale)
    return (
      work: {
        var recording = recording
        var times = (0..<200).map { _ in
          let position = Int.random(in: 0...recording.count)
          return nanoseconds(perOperationOf: 1) {
            try? recording.jump(to: position)
            consume(recording.state)
          }
        }
        times.sort()
        return times[times.count * 95 / 100]
      },
      limit: {
        nanoseconds(ofObjects: 33_000)
          + 128
          * nanoseconds(perOperationOf: 1000) {
            var state = Counter()
            for index in 0..<1000 { Counter.reducer(&state, .add(index)) }
            consume(state)
          }
      }
    )
  },
  Row(
    workload: "the first of 100,000 toggled, an entry", limit: Row.text(ofObjects: 3) + ", and the reducer", budget: 1
  ) { scale in
    let recording = recording(scale)
    return (
      work: {
        var recording = recording
        return nanoseconds(perOperationOf: recording.count) { try? recording.toggle(1) }
      },
      limit: {
        var state = Counter()
        let reducer = nanoseconds(perOperationOf: 100_000) {
          for index in 0..<100_000 { Counter.reducer(&state, .add(index)) }
        }
        consume(state)
        return nanoseconds(ofObjects: 3) + reducer
      }
    )
  },
  Row(workload: "100,000 recorded entries written as a page", objects: 100e6, budget: 1, rounds: 1) { scale in
    let recording = recording(scale)
    return { nanoseconds(perOperationOf: 1) { writePage(of: recording) } }
  },
  Row(workload: "100,000 recorded entries written as a page (peak bytes)", limit: "200 MB", budget: 1, rounds: 1) {
    scale in
    let recording = recording(scale)
    return (work: { peakMemory { writePage(of: recording) } }, limit: { 200e6 })
  },
]

/// Compares the work of the store's queue for an action, without the cost of accepting it, which the sender pays.
private func queueRow(
  _ workload: String,
  objects: Double,
  _ makeMonitor: @escaping @Sendable () -> any StoreMonitor
) -> Row {
  Row(workload: workload, limit: "an action without, and \(Row.text(ofObjects: objects))", budget: 1) { scale in
    let count = scale.count(100_000)
    let monitored = StoreFactory(
      initialState: Counter(),
      settings: TreeSettings(monitors: [makeMonitor()]),
      reducer: Counter.reducer
    )
    let plain = StoreFactory(initialState: Counter(), reducer: Counter.reducer)
    func drain(_ factory: StoreFactory<Counter, CounterAction>) -> Double {
      let store = factory.rootStore()
      return store.whileHeld { for index in 0..<count { store.dispatch(.add(index)) } } / Double(count)
    }
    return (work: { drain(monitored) }, limit: { drain(plain) + nanoseconds(ofObjects: objects) })
  }
}

/// The memory of an entry and of the kept states, in addition to the action.
private func entryRow(
  _ workload: String,
  _ makeSend: @escaping @Sendable (StoreFactory<Counter, CounterAction>) -> (Int) -> Void
) -> Row {
  Row(workload: workload, limit: "fixed", budget: 1, rounds: 1) { scale in
    let count = scale.count(100_000)
    // Kept, because memory freed meanwhile, from the previous round, would distort the result.
    var kept: [Recorder<Counter, CounterAction>] = []
    return (
      work: {
        let recorder = Recorder<Counter, CounterAction>(limit: 1_000_000)
        kept.append(recorder)
        let factory = StoreFactory(
          initialState: Counter(),
          settings: TreeSettings(monitors: [recorder]),
          reducer: Counter.reducer
        )
        let send = makeSend(factory)
        send(0)
        guard let before = allocatedBytes() else { return nil }
        for index in 0..<count { send(index) }
        let bytes = allocatedBytes().map { Double($0 - before) / Double(count) }
        consume(recorder.recording?.count)
        return bytes.map { $0 - Double(MemoryLayout<CounterAction>.stride) }
      },
      limit: { 200 }
    )
  }
}

private func writePage<State: Sendable, Action: Sendable>(of recording: Recording<State, Action>) {
  let file = FileManager.default.temporaryDirectory.appending(path: "Arbor-\(UUID().uuidString).html")
  defer { try? FileManager.default.removeItem(at: file) }
  do { try recording.writePage(to: file) } catch { fatalError("the page cannot be written: \(error)") }
}

/// Makes a recording with a recorder's default checkpoint interval and the times of all actions.
private func recording(_ scale: Scale) -> Recording<Counter, CounterAction> {
  let recorder = Recorder<Counter, CounterAction>(limit: 1_000_000)
  let factory = StoreFactory(
    initialState: Counter(),
    settings: TreeSettings(monitors: [recorder]),
    reducer: Counter.reducer
  )
  for index in 0..<scale.count(100_000) { factory.dispatch(.add(index)) }
  return recorder.recording!
}
