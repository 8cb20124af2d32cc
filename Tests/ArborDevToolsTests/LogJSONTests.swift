import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Log for programs")
struct LogJSONTests {
  private let lines = Lines()

  private func log(_ detail: LogDetail = .all, _ see: (LogMonitor) -> Void) -> [String] {
    let monitor = LogMonitor(.json, detail: detail, to: lines.sink)
    see(monitor)
    monitor.flush()
    return lines.all
  }

  private func decode(_ line: String) throws -> LogRecord {
    try JSONDecoder().decode(LogRecord.self, from: Data(line.utf8))
  }

  @Test func `an action is one line with its fields in alphabetical order`() {
    let lines = log { log in
      log.see(Example.Action.tick)
      log.see(
        Example.Action.add("a/b"),
        times: Example.times,
        states: [Example.change { $0.todos = ["a/b"] }],
        isLastOfStep: false
      )
    }
    let store = #""store":{"id":1,"state":"State"}"#
    #expect(
      lines == [
        #"{"action":".tick","isLastOfStep":true,"kind":"action","outcome":"reduced",\#(store)}"#,
        #"{"action":".add(\"a/b\")","changes":[{"after":"\"a/b\"","path":"todos[0]",\#(store)}],"#
          + #""isLastOfStep":false,"kind":"action","outcome":"reduced",\#(store),"time":1234567,"#
          + #""times":{"delivered":14000000000,"intercepted":80,"reduced":2100000,"waited":1200}}"#,
      ]
    )
  }

  @Test func `a record contains a store's name and its state's type, and a task's state effect`() throws {
    let store = MonitoredStore(id: 1, parent: nil, stateType: Example.State.self, name: "Shop")
    let effect = StateEffectDeclaration("Shop/Cart.swift", 12)
    let lines = log { $0.monitor(.taskStarted(MonitoredTask(store: store, id: 3, key: nil, of: effect)), at: .zero) }
    #expect(
      lines == [
        #"{"kind":"taskStarted","stateEffect":"the state effect at Shop/Cart.swift:12","#
          + #""store":{"id":1,"name":"Shop","state":"State"},"task":3,"time":0}"#
      ]
    )
    #expect(try decode(lines[0]).store.name == "Shop")
  }

  @Test func `every outcome and every event is decoded unchanged`() throws {
    let task = MonitoredTask(store: Example.item, id: .max, key: 5)
    let lines = log { log in
      log.see(Example.Action.tick, outcome: .replaced(by: 1))
      log.see(Example.Action.tick, outcome: .dropped)
      log.see(Example.Action.tick, outcome: .held)
      log.see(Example.Action.tick, outcome: .revoked)
      log.see(Example.Action.tick, outcome: .failed)
      log.monitor(.storeMade(Example.item), at: .nanoseconds(5))
      log.monitor(.storeGone(Example.item), at: .nanoseconds(5))
      log.monitor(.observerMade(in: Example.item), at: .nanoseconds(5))
      log.monitor(.observerGone(in: Example.item), at: .nanoseconds(5))
      log.monitor(.taskStarted(task), at: .nanoseconds(5))
      log.monitor(.taskFinished(task), at: .nanoseconds(5))
      log.monitor(.taskCancelled(task), at: .nanoseconds(5))
      log.monitor(.taskFailed(task, Example.Refusal()), at: .nanoseconds(5))
      log.monitor(.activity(1.5, in: Example.item), at: .nanoseconds(5))
    }
    let records = try lines.map(decode)
    #expect(records.prefix(5).map(\.outcome) == [.replaced, .dropped, .held, .revoked, .failed])
    #expect(records[0].replacement == "1")
    #expect(records.prefix(5).allSatisfy { $0.kind == .action && $0.action == ".tick" })
    let events = records.dropFirst(5)
    #expect(Set(events.map(\.kind)).count == 9)
    #expect(events.allSatisfy { $0.time == 5 && $0.store == LoggedStore(id: 7, parent: 1, state: "Item") })
    #expect(events.compactMap(\.task) == [.max, .max, .max, .max])
    #expect(events.compactMap(\.key) == ["5", "5", "5", "5"])
    #expect(events.compactMap(\.error) == ["Refusal()"])
    #expect(events.compactMap(\.activity) == ["1.5"])
  }

  @Test func `a decoded record has the text of the written one`() throws {
    let texts = Lines()
    let (readable, json) = (LogMonitor(detail: .all, to: texts.sink), LogMonitor(.json, detail: .all, to: lines.sink))
    for monitor in [readable, json] {
      monitor.see(
        Example.Action.add("Milk\n"),
        times: Example.times,
        states: [Example.change { $0.note = Example.Note(text: "one\ntwo") }]
      )
      monitor.monitor(.storeGone(Example.item), at: .seconds(1))
      monitor.flush()
    }
    #expect(try lines.all.map { try decode($0).description } == texts.all)
    #expect(texts.all.count == 2)
  }

  @Test(arguments: Hostile.texts.indices)
  func `no value breaks a line or the JSON, and each is decoded unchanged`(index: Int) throws {
    let text = Hostile.texts[index]
    let note = Example.Note(text: text)
    let lines = log { log in
      log.see(note, outcome: .replaced(by: note), states: [Example.change { $0.note = note }])
    }
    #expect(lines.count == 1)
    let line = try #require(lines.first)
    #expect(Hostile.isOneLine(line))
    #expect(line.utf8.count < 200_000)
    let record = try decode(line)
    let isCut = text.utf8.count > 4000 && text.unicodeScalars.count > 4000
    let expected = isCut ? String(text.unicodeScalars.prefix(4000)) + "…" : text
    // Compares scalars, because equal strings may have different ones.
    #expect(try #require(record.action).unicodeScalars.elementsEqual(expected.unicodeScalars))
    #expect(try #require(record.replacement).unicodeScalars.elementsEqual(expected.unicodeScalars))
    #expect(record.changes?.map(\.path) == ["note"])
  }

  @Test(arguments: [Double.nan, .infinity, -.infinity, .greatestFiniteMagnitude, -0.0])
  func `numbers that JSON cannot represent are texts`(number: Double) throws {
    let lines = log { $0.see(Example.Action.count(number), states: [Example.change { $0.ratio = number }]) }
    let record = try decode(#require(lines.first))
    #expect(record.action == ".count(\(number))")
    #expect(record.changes?.first?.after == "\(number)")
  }

  @Test func `times out of bounds are clamped`() throws {
    let (longest, shortest) = (Duration(attoseconds: .max), Duration(attoseconds: .min))
    let times = ActionTimes(
      accepted: longest,
      waited: shortest,
      intercepted: .zero,
      reduced: longest,
      delivered: .nanoseconds(-1)
    )
    let lines = log { $0.see(Example.Action.tick, times: times) }
    let record = try decode(#require(lines.first))
    #expect(record.time == .max)
    #expect(record.times == LoggedTimes(waited: 0, intercepted: 0, reduced: .max, delivered: 0))
    let text = "(waited 0 ns, intercepted 0 ns, reduced 9223372036 s, delivered 0 ns)"
    #expect(record.description == "+9223372036.854775 State#1: .tick \(text)")
  }

  @Test func `a kind of a later version is decoded as unknown`() throws {
    let record = try decode(#"{"kind":"storeSplit","more":1,"store":{"id":1,"state":"State"}}"#)
    #expect(record == LogRecord(.unknown, store: LoggedStore(id: 1, state: "State")))
    #expect(record.description == "State#1: unknown")
  }
}
