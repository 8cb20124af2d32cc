import Arbor
import ArborDevTools
import ArborEntities
import Dispatch
import Foundation
import Testing

@Suite("Bounds of a log")
struct LogBoundsTests {
  private let lines = Lines()

  // MARK: Work

  /// A value that counts how often its parts are read, and how often it is compared or hashed.
  private struct Watched: Identifiable, Hashable, Sendable, CustomReflectable {
    let id: Int
    var number = 0
    let looks: Looks

    static func == (left: Watched, right: Watched) -> Bool {
      left.looks.add()
      return left.id == right.id && left.number == right.number
    }

    func hash(into hasher: inout Hasher) {
      looks.add()
      hasher.combine(id)
    }

    var customMirror: Mirror {
      looks.add()
      return Mirror(self, children: ["number": number])
    }
  }

  private struct State: Sendable {
    var count = 0
    var table = EntityTable<Watched>()
    @Stamped var array: [Watched] = []
    var dictionary: [Int: Watched] = [:]

    init(_ size: Int, _ looks: Looks) throws {
      let records = (0..<size).map { Watched(id: $0, looks: looks) }
      table = try EntityTable(records)
      array = records
      dictionary = Dictionary(uniqueKeysWithValues: records.map { ($0.id, $0) })
    }
  }

  /// Returns the log of an action, and how often the log read a value of the state for it.
  private func log(
    _ state: State,
    _ looks: Looks,
    _ change: @escaping @Sendable (inout State) -> Void
  ) throws -> (record: String, looks: Int) {
    let isReduced = Protected(0)
    let monitor = LogMonitor(detail: .changes, to: lines.sink)
    let factory = StoreFactory<State, Int>(initialState: state, settings: TreeSettings(monitors: [monitor])) {
      state, _ in
      change(&state)
      // The reducer's own reads don't count.
      isReduced.withLock { $0 = looks.count }
    }
    factory.rootStore().dispatchAndWait(1)
    monitor.flush()
    return (try #require(lines.all.first), looks.count - isReduced.withLock { $0 })
  }

  @Test(arguments: [1_000, 50_000])
  func `the cost of an action does not depend on the size of the parts that it does not change`(size: Int) throws {
    let looks = Looks()
    let (record, count) = try log(try State(size, looks), looks) { state in
      state.count = 1
      try? state.table.update(700) { $0.number = 1 }
      state.array[700].number = 1
      state.array.append(Watched(id: size, number: 2, looks: looks))
    }
    #expect(
      record.split(separator: "\n").dropFirst() == [
        "  count: 0 → 1", "  table[700].number: 0 → 1", "  array[700].number: 0 → 1",
        "  array[\(size)]: + Watched(number: 2)",
      ]
    )
    #expect(count < 30)
  }

  @Test func `a rebuilt collection is compared within the limits of any state, and the rest is reported`() throws {
    let (before, after) = (Looks(), Looks())
    let (record, count) = try log(try State(50_000, before), after) { state in
      let looks = after
      state.array = state.array.map { Watched(id: $0.id, looks: looks) }
    }
    #expect(count + before.count < 10_000)
    let left = try #require(record.split(separator: "\n").last)
    #expect(left.hasPrefix("  array: … 4") && left.hasSuffix(" more not compared"))
  }

  @Test func `parts that were not compared are reported to programs, too`() throws {
    let monitor = LogMonitor(.json, detail: .changes, to: lines.sink)
    let (before, after) = ((0..<50_000).map { "a \($0)" }, (0..<50_000).map { "b \($0)" })
    monitor.see(
      Example.ItemAction.select,
      in: Example.item,
      states: [
        Example.change { $0.todos = [] },
        StateTransition(store: Example.item, before: Set(before), after: Set(after)),
      ]
    )
    monitor.flush()
    let record = try JSONDecoder().decode(LogRecord.self, from: Data(#require(lines.all.first).utf8))
    let omission = try #require(record.notLookedAt?.first)
    #expect(record.notLookedAt?.count == 1 && omission.path.isEmpty && omission.store.id == 7)
    #expect(try #require(omission.count) > 10_000)
    #expect(record.description.hasSuffix("\n  … \(try #require(omission.count)) more not compared"))
  }

  @Test func `the text of an action takes no more time than its length allows`() {
    let looks = Looks()
    let monitor = LogMonitor(detail: [], to: lines.sink)
    monitor.see((0..<100_000).map { Watched(id: $0, looks: looks) })
    monitor.flush()
    #expect(lines.all.count == 1)
    #expect(looks.count < 200)
  }

  // MARK: Memory

  /// Returns a log whose sink waits until it may continue.
  private func heldLog(
    _ format: LogFormat = .text,
    maximumWaiting: Int
  ) -> (log: LogMonitor, isWriting: DispatchSemaphore, gate: DispatchSemaphore) {
    let (isWriting, gate) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let sink = lines.sink
    let log = LogMonitor(format, detail: .events, maximumWaiting: maximumWaiting) { line in
      isWriting.signal()
      gate.wait()
      sink(line)
    }
    return (log, isWriting, gate)
  }

  @Test func `records that come while too many wait are dropped and counted, until half of them are written`() {
    let (log, isWriting, gate) = heldLog(maximumWaiting: 4)
    for number in 1...4 { log.see(number) }
    log.see(5, in: Example.item)
    log.monitor(.activity(6, in: Example.root), at: .zero)
    isWriting.wait()
    gate.signal()
    isWriting.wait()
    log.see(7)
    gate.signal()
    isWriting.wait()
    log.see(8)
    log.see(9)
    log.see(10)
    for _ in 0..<10 { gate.signal() }
    log.flush()
    #expect(
      lines.all == [
        "State#1: 1", "State#1: 2", "State#1: 3", "State#1: 4",
        "Item#7: 3 records dropped, because too many were waiting to be written", "State#1: 8", "State#1: 9",
        "State#1: 1 record dropped, because too many were waiting to be written",
      ]
    )
  }

  @Test func `dropped records are reported to programs, too`() throws {
    let (log, _, gate) = heldLog(.json, maximumWaiting: 1)
    for number in 1...5 { log.see(number, in: Example.item) }
    for _ in 0..<2 { gate.signal() }
    log.flush()
    #expect(lines.all.last == #"{"dropped":4,"kind":"recordsDropped","store":{"id":7,"parent":1,"state":"Item"}}"#)
    let record = try JSONDecoder().decode(LogRecord.self, from: Data(#require(lines.all.last).utf8))
    #expect(record.description == "Item#7: 4 records dropped, because too many were waiting to be written")
  }

  @Test func `dropped records are not kept`() {
    final class Load: Sendable {}
    let (log, _, gate) = heldLog(maximumWaiting: 2)
    let loads = (0..<10).map { _ in Weak(Load()) { log.see($0) } }
    #expect(loads.filter { $0.object != nil }.count == 2)
    for _ in 0..<3 { gate.signal() }
    log.flush()
    #expect(lines.all.count == 3)
  }

  private struct Weak {
    weak var object: AnyObject?

    /// Keeps an object only while a body runs.
    init<Object: AnyObject>(_ object: Object, _ body: (Object) -> Void) {
      body(object)
      self.object = object
    }
  }

  @Test func `waiting in the sink for the same sink stops the program with a sentence`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let log = Protected<LogMonitor?>(nil)
      let monitor = LogMonitor(detail: []) { _ in log.withLock { $0 }?.flush() }
      log.withLockInAsync { $0 = monitor }
      monitor.see(1)
      monitor.flush()
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("Arbor: flush was called in the sink of the same monitor"))
    #expect(text.contains("would wait forever"))
    #expect(text.contains("Call flush outside"))
  }

  @Test func `a sink may wait for the sink of another log`() {
    let other = LogMonitor(detail: [], to: lines.sink)
    let log = LogMonitor(detail: []) { line in
      other.see(line)
      other.flush()
    }
    log.see(1)
    log.flush()
    #expect(lines.all == [#"State#1: "State#1: 1""#])
  }
}
