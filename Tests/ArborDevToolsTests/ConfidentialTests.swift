import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Confidential values")
struct ConfidentialTests {
  struct Card: Codable, Hashable, Sendable, Confidential, CustomStringConvertible {
    var number = "s3cr3t"
    var description: String { "Card \(number)" }
  }

  struct Refusal: Error, CustomStringConvertible {
    let card: Card
    var description: String { "refused \(card.number)" }
  }

  struct State: Codable, Equatable, Sendable {
    var card: Card?
    var cards: [Card: Int] = [:]
    var job = EffectState()
    var count = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case pay(Card)
    case refused(Card)
  }

  private static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .pay(let card):
      (state.card, state.cards[card]) = (card, 1)
      state.job.run()
    case .refused(let card): state.job.fail(Refusal(card: card))
    }
    state.count += 1
  }

  @Test func `One declaration hides a secret from every tool`() async throws {
    let (log, json, trace) = (Lines(), Lines(), Lines())
    let recorder = Recorder<State, Action>()
    let metrics = MetricsMonitor()
    let monitors: [any StoreMonitor] = [
      recorder, metrics, LogMonitor(detail: .all, to: log.sink), LogMonitor(.json, detail: .all, to: json.sink),
      TraceMonitor(to: trace.sink),
    ]
    let factory = StoreFactory<State, Action>(initialState: State(), monitors: monitors, reducer: Self.reduce)
    let live = LiveRecording(recorder)
    var cursor = LiveCursor()
    factory.dispatch(.pay(Card()))
    factory.dispatch(.pay(Card(number: "s3cr3t-2")))
    factory.dispatch(.refused(Card()))
    factory.rootStore().task(key: Card()) { _ in throw Refusal(card: Card()) }
    await factory.rootStore().settled()
    #expect(factory.state.count == 3)
    let recording = try #require(recorder.recording)
    var outputs = [log.all, json.all, trace.all].map { $0.joined() }
    outputs.append("\(metrics.report)")
    outputs += live.messages(after: &cursor).map { String(decoding: $0, as: UTF8.self) }
    try Recordings.withFolder { folder in
      let files = ["a.arbor.json", "a.html", "a.json"].map { folder.appending(path: $0) }
      try recording.write(to: files[0])
      try recording.writePage(to: files[1])
      try recording.writeLiftedState(to: files[2])
      for file in files { outputs.append(try String(contentsOf: file, encoding: .utf8)) }
    }
    for output in outputs { #expect(!output.contains("s3cr3t")) }
    #expect(outputs[0].contains("‹redacted›"))
    #expect(factory.state.job.reason == "Refusal(‹redacted›)")
    #expect(throws: SwiftSourceError.self) { try recording.testSource(named: "a") }
  }

  @Test func `The default report of a failed effect does not print one`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let factory = StoreFactory<Int, Int>(
        initialState: 0,
        effects: { _, _ in .run(key: Card()) { _ in throw Refusal(card: Card()) } },
        reducer: { $0 += $1 }
      )
      factory.dispatch(1)
      await factory.rootStore().settled()
    }
    let written = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
    #expect(written.contains("an effect with the key ‹redacted› failed: Refusal(‹redacted›)"))
    #expect(!written.contains("s3cr3t"))
  }
}
