import Arbor
import ArborDevTools
import TestSupport
import Testing

/// Random histories: a browser that pulls always has the recording's own states.
@Suite("A live recording against its recording")
struct LiveModelTests {
  typealias Action = LiveRecordingTests.Action

  @Test(arguments: 0..<UInt64(repetitions(16)))
  func `a browser has the contents of the recording`(seed: UInt64) throws {
    var random = SplitMix64(seed: seed)
    let recorder = Recorder<[Int], Action>(limit: 24, checkpointInterval: 4)
    let factory = StoreFactory<[Int], Action>(
      initialState: [],
      settings: TreeSettings(monitors: [recorder]),
      reducer: LiveRecordingTests.reduce
    )
    let live = LiveRecording(recorder, entryLimit: 9)
    var children: [StoreObject<Int, Action>] = []
    var browsers = [LiveBrowser(), LiveBrowser()]
    for _ in 0..<150 {
      switch Int.random(in: 0..<12, using: &random) {
      case 0..<5:
        for number in 0..<Int.random(in: 1...4, using: &random) { factory.dispatch(.add(number)) }
        _ = factory.state
      case 5:
        children.append(
          factory.childStore(
            initialState: 0,
            stateMapping: { $1 },
            feature: Feature<Int, Action> { count, _ in count += 1 }
          )
        )
      case 6: if !children.isEmpty { children.removeFirst() }
      case 7: children.randomElement(using: &random)?.store().dispatchAndWait(.double)
      case 8: try? recorder.travel(to: Int.random(in: 0...20, using: &random))
      case 9: try? recorder.toggle(recorder.recording?.entries.randomElement(using: &random)?.id ?? 0)
      case 10: recorder.resume()
      default: recorder.continueFromHere()
      }
      _ = factory.state
      let index = Int.random(in: 0..<8, using: &random)
      guard browsers.indices.contains(index) else { continue }
      try browsers[index].pull(live)
      try check(browsers[index], try #require(recorder.recording), recorder.isTravelling)
    }
    recorder.resume()
    factory.dispatchAndWait(.double)
    for index in browsers.indices {
      try browsers[index].pull(live)
      let recording = try #require(recorder.recording)
      try check(browsers[index], recording, false)
      // The last entry was sent after all stores were made.
      guard case .object(let states) = browsers[index].states else { continue }
      #expect(try states.count == recording.stores(at: recording.count).count)
    }
    withExtendedLifetime(children) {}
  }

  private func check(_ browser: LiveBrowser, _ recording: Recording<[Int], Action>, _ isTravelling: Bool) throws {
    let forgotten = recording.count - browser.numbers.suffix(recording.count).count
    #expect(Array(browser.numbers.suffix(recording.count)) == recording.entries.dropFirst(forgotten).map(\.id))
    let known = Set(browser.numbers)
    #expect(
      browser.leftOut.suffix(recording.count).filter { number in recording.entries.contains { $0.id == number } }
        == recording.entries.filter { $0.isSkipped && known.contains($0.id) }.map(\.id)
    )
    #expect(browser.isTravelling == isTravelling)
    guard case .object(let states) = browser.states else {
      Issue.record("a browser has no states")
      return
    }
    // A store that came or went after the last entry only shows with the next one.
    for store in try recording.stores(at: recording.count) {
      guard let tree = states["\(store.id)"] else { continue }
      let state = try #require(try recording.state(of: store.id, at: recording.count))
      #expect(tree == (try (state as? any Encodable).map { try RecordedValue(encoding: $0) }))
    }
    let root = try #require(recording.stores(at: 0).first)
    #expect(states["\(root.id)"] != nil)
  }
}
