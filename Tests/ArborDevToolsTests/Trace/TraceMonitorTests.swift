import Arbor
import ArborDevTools
import ArborTesting
import Foundation
import Testing

@Suite("Trace monitor")
struct TraceMonitorTests {
  private enum Action: Sendable {
    case load
    case add(Int)
  }

  private struct Ping: Sendable {}

  private let pieces = Lines()
  private let executor = ManualExecutor()
  private let clock = TestClock()

  private func makeTrace(maximumWaiting: Int = 100_000) -> TraceMonitor {
    TraceMonitor(maximumWaiting: maximumWaiting, to: pieces.sink)
  }

  /// Makes a store whose interceptors, reducers, effects and observers take 1, 20, 300 and 4,000 µs.
  private func makeFactory(_ trace: TraceMonitor) -> StoreFactory<Int, Action> {
    StoreFactory<Int, Action>(
      initialState: 0,
      feature: Feature(
        interceptor: { [clock] _, _ in clock.advance(by: .microseconds(1)) },
        effects: { [clock] _, action in
          clock.advance(by: .microseconds(300))
          guard case .load = action else { return .none }
          return .merge(.emit(Ping()), .run(key: "load \"all\"") { dispatch in dispatch(.add(2)) })
        },
        reducer: { [clock] state, action in
          clock.advance(by: .microseconds(20))
          if case .add(let number) = action { state += number }
        }
      ),
      settings: TreeSettings(clock: clock, monitors: [trace], executor: executor)
    )
  }

  /// Reads the written text like a truncated file.
  private func read(_ trace: TraceMonitor) throws -> [TraceEvent] {
    trace.flush()
    return try JSONDecoder().decode([TraceEvent].self, from: Data((pieces.all.joined() + "\n]").utf8))
  }

  private func makeEvents() async throws -> [TraceEvent] {
    let trace = makeTrace()
    let factory = makeFactory(trace)
    let observing = factory.observe(initial: false) { [clock] (_: Int) in clock.advance(by: .microseconds(4000)) }
    factory.dispatch(.load)
    clock.advance(by: .nanoseconds(70_007))
    await executor.settle()
    withExtendedLifetime(observing) {}
    return try read(trace)
  }

  @Test func `an action is a slice with its parts inside, in microseconds`() async throws {
    let events = try await makeEvents().filter { $0.ph == "X" }
    #expect(events.prefix(5).map(\.name) == ["load", "intercept", "reduce", "effects", "observers"])
    #expect(events.prefix(5).map(\.ts) == [70.007, 70.007, 71.007, 91.007, 391.007])
    #expect(events.prefix(5).map(\.dur) == [4321, 1, 20, 300, 4000])
    #expect(events[0].args?["waited_us"] == .number(70.007))
    #expect(events[0].args?["outcome"] == .text("reduced"))
    #expect(events[5].name == "add")
    #expect(events[5].args?["cause"] == .text("task"))
  }

  @Test func `slices of a thread nest`() async throws {
    var open: [Double] = []
    for event in try await makeEvents().filter({ $0.ph == "X" }) {
      let end = event.ts + (event.dur ?? 0)
      while let last = open.last, last <= event.ts + 0.0001 { open.removeLast() }
      if let last = open.last { #expect(end <= last + 0.0001) }
      open.append(end)
    }
    #expect(open.count > 0)
  }

  @Test func `a tree is a process with a name, and its queue a thread`() async throws {
    let events = try await makeEvents()
    let metadata = events.filter { $0.ph == "M" }
    #expect(metadata.map(\.name) == ["process_name", "thread_name"])
    #expect(metadata[1].args?["name"] == .text("store queue"))
    #expect(Set(events.map(\.pid)).count == 1)
    #expect(Set(events.map(\.tid)) == [1])
  }

  @Test func `a named tree is a process of that name, and a state effect's task has the effect's name`() async throws {
    let trace = makeTrace()
    let line: UInt = #line + 3
    let factory = StoreFactory<Bool, Bool>(
      initialState: true,
      feature: Feature(stateEffects: [StateEffect(while: { $0 }) { _ in .run { _ in } }]) { $0 = $1 },
      settings: TreeSettings(name: "Shop", monitors: [trace], executor: executor)
    )
    await executor.settle()
    let events = try read(trace)
    let process = try #require(events.first { $0.name == "process_name" })
    #expect("\(process)".contains("Shop#"), "\(process)")
    let task = "the state effect at ArborDevToolsTests/TraceMonitorTests.swift:\(line)"
    #expect(events.contains { $0.name == task }, "\(events)")
    withExtendedLifetime(factory) {}
  }

  @Test func `a task is an asynchronous slice with an id`() async throws {
    let tasks = try await makeEvents().filter { $0.cat == "task" }
    #expect(tasks.map(\.ph) == ["b", "e"])
    #expect(tasks.map(\.name) == ["load \"all\"", "load \"all\""])
    #expect(tasks[0].id != nil)
    #expect(tasks[0].id == tasks[1].id)
    #expect(tasks[1].args?["outcome"] == .text("finished"))
  }

  @Test func `a cause is an arrow from one slice to another`() async throws {
    let events = try await makeEvents()
    let arrows = events.filter { $0.cat == "cause" }
    #expect(arrows.map(\.ph) == ["s", "f"])
    #expect(arrows[0].id == arrows[1].id)
    #expect(arrows[1].bp == "e")
    let slices = events.filter { $0.cat == "action" }
    #expect(arrows.map(\.ts) == slices.map(\.ts))
  }

  @Test func `the number of waiting actions is a counter, and an activity is an instant`() async throws {
    let events = try await makeEvents()
    let counts = events.filter { $0.ph == "C" && $0.name == "mailbox" }.map { $0.args?["waiting"] }
    #expect(!counts.isEmpty)
    #expect(counts.allSatisfy { if case .number(let count) = $0 { count >= 0 } else { false } })
    #expect(events.contains { $0.ph == "i" && $0.cat == "activity" && $0.name == "Ping" && $0.s == "t" })
  }

  @Test func `two trees are two processes`() throws {
    let trace = makeTrace()
    let factories = [makeFactory(trace), makeFactory(trace)]
    for factory in factories { factory.dispatch(.add(1)) }
    executor.run()
    let slices = try read(trace).filter { $0.cat == "action" }
    #expect(Set(slices.map(\.pid)).count == 2)
  }

  @Test func `children belong to the process of their root, even after the root is gone`() throws {
    let trace = makeTrace()
    let child: StoreObject<(Int, Int), Action> = {
      let factory = makeFactory(trace)
      return factory.childStore(initialState: 0, reducer: { state, _ in state += 1 })
    }()
    child.dispatch(.add(1))
    executor.run()
    let events = try read(trace)
    #expect(Set(events.map(\.pid)).count == 1)
    #expect(events.contains { $0.cat == "action" })
  }

  @Test func `a task that ends after its stores are gone belongs to their process`() async throws {
    let trace = makeTrace()
    do {
      let child = makeFactory(trace).childStore(initialState: 0, reducer: { _, _ in })
      child.task(key: "wait") { [clock] _ in try await clock.sleep(for: .seconds(1)) }
      await executor.settle()
      withExtendedLifetime(child) {}
    }
    await executor.settle()
    let events = try read(trace)
    #expect(events.filter { $0.cat == "task" }.map(\.ph) == ["b", "e"])
    #expect(Set(events.map(\.pid)).count == 1)
  }

  @Test func `confidential values are in no key and no error`() async throws {
    struct Token: Hashable, Sendable, Confidential { let text: String }
    struct Key: Hashable, Sendable { let page: Int, token: Token }
    struct Refused: Error { let token: Token }
    let trace = TraceMonitor(to: pieces.sink)
    let factory = makeFactory(trace)
    let token = Token(text: "secret")
    factory.rootStore().task(key: Key(page: 7, token: token)) { _ in }
    factory.rootStore().task(key: token) { _ in throw Refused(token: token) }
    await executor.settle()
    let tasks = try read(trace).filter { $0.cat == "task" }
    #expect(tasks.contains { $0.name.contains("page: 7") && $0.name.contains("‹redacted›") })
    #expect(
      tasks.contains {
        if case .text(let outcome) = $0.args?["outcome"] { outcome.hasPrefix("failed: ") } else { false }
      })
    #expect(!pieces.all.joined().contains("secret"))
  }

  @Test func `hostile names break nothing`() throws {
    let hostile = "\"\\\u{0}\n</script>\u{2028}\u{1F}\u{7F}é🌳"
    let trace = TraceMonitor(name: { _ in hostile }, to: pieces.sink)
    let factory = makeFactory(trace)
    factory.dispatch(.add(1))
    executor.run()
    #expect(try read(trace).contains { $0.name == hostile })
  }

  @Test func `excess events are dropped and counted`() throws {
    let trace = makeTrace(maximumWaiting: 0)
    let factory = makeFactory(trace)
    for number in 0..<1000 { factory.dispatch(.add(number)) }
    executor.run()
    let events = try read(trace)
    let dropped = events.filter { $0.name == "dropped" }.compactMap { event -> Int? in
      guard case .number(let count) = event.args?["events"] else { return nil }
      return Int(count)
    }
    let written = events.count { $0.cat == "action" || $0.cat == "store" }
    // The root is made, and a thousand actions are reduced.
    #expect(written + dropped.reduce(0, +) == 1001)
  }

  @Test func `a file is replaced, and can be read while it is written`() throws {
    let file = FileManager.default.temporaryDirectory.appending(path: "Arbor-\(UUID().uuidString).trace.json")
    defer { try? FileManager.default.removeItem(at: file) }
    try Data(repeating: 0x20, count: 1_000_000).write(to: file)
    let trace = try TraceMonitor(writingTo: file)
    let factory = makeFactory(trace)
    for round in 1...3 {
      factory.dispatch(.add(1))
      executor.run()
      trace.flush()
      let events = try JSONDecoder().decode([TraceEvent].self, from: Data(contentsOf: file) + Data("]".utf8))
      #expect(events.count { $0.cat == "action" } == round)
    }
  }

  @Test func `waiting in the sink for the same sink stops the program with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let trace = Protected<TraceMonitor?>(nil)
      let monitor = TraceMonitor { _ in trace.withLock { $0 }?.flush() }
      trace.withLockInAsync { $0 = monitor }
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        settings: TreeSettings(monitors: [monitor]),
        reducer: { $0 += $1 }
      )
      await factory.rootStore().dispatchAndWait(1)
      monitor.flush()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Arbor: flush was called in the sink of the same monitor"))
  }

  @Test func `a file that cannot be made is an error`() {
    #expect(throws: (any Error).self) { try TraceMonitor(writingTo: URL(filePath: "/nowhere/at/all/trace.json")) }
  }
}

/// An event of a trace, as defined by the format.
private struct TraceEvent: Decodable {
  enum Value: Decodable, Equatable {
    case number(Double)
    case text(String)

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      self =
        if let number = try? container.decode(Double.self) { .number(number) } else {
          .text(try container.decode(String.self))
        }
    }
  }

  let ph: String
  let name: String
  let pid: UInt64
  let tid: Int
  let ts: Double
  let dur: Double?
  let cat: String?
  let id: String?
  let s: String?
  let bp: String?
  let args: [String: Value]?
}
