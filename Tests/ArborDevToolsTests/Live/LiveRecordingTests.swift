import Arbor
import ArborDevTools
import Testing

@Suite("A live recording")
struct LiveRecordingTests {
  enum Action: Codable, Equatable, Sendable {
    case add(Int)
    case double
  }

  static func reduce(_ state: inout [Int], _ action: Action) {
    switch action {
    case .add(let number): state.append(number)
    case .double: state = state.map { $0 * 2 }
    }
  }

  private let recorder: Recorder<[Int], Action>
  private let factory: StoreFactory<[Int], Action>

  init() {
    recorder = Recorder(limit: 100, checkpointInterval: 4)
    factory = StoreFactory(initialState: [0], settings: TreeSettings(monitors: [recorder]), reducer: Self.reduce)
  }

  private func live(entryLimit: Int = 50) -> LiveRecording<[Int], Action> {
    LiveRecording(recorder, entryLimit: entryLimit, dispatch: { factory.dispatchAndWait($0) })
  }

  private func add(_ numbers: ClosedRange<Int>) {
    for number in numbers { factory.dispatchAndWait(.add(number)) }
  }

  private func rootState(of browser: LiveBrowser) throws -> [Int] {
    guard case .object(let states) = browser.states, states.count == 1 else { return [] }
    return try states.members[0].value.decoded()
  }

  @Test func `no message is sent before a store is made, or when nothing has happened`() throws {
    var browser = LiveBrowser()
    let unused = LiveRecording(Recorder<Int, Action>())
    #expect(try browser.pull(unused) == [])
    let live = live()
    #expect(try browser.pull(live) == ["recording", "position"])
    #expect(try browser.pull(live) == [])
    #expect(try rootState(of: browser) == [0])
  }

  @Test func `the recording is sent first, then appended entries`() throws {
    let live = live()
    add(1...3)
    var browser = LiveBrowser()
    #expect(try browser.pull(live) == ["recording", "position"])
    #expect(browser.numbers == [1, 2, 3] && browser.place == 3)
    add(4...9)
    #expect(try browser.pull(live) == ["entries"])
    #expect(browser.numbers == Array(1...9) && browser.place == 9)
    #expect(try rootState(of: browser) == Array(0...9))
  }

  @Test func `browsers do not disturb each other`() throws {
    let live = live()
    var (often, rare) = (LiveBrowser(), LiveBrowser())
    try rare.pull(live)
    for number in 1...9 {
      add(number...number)
      try often.pull(live)
    }
    #expect(try rare.pull(live) == ["entries"])
    #expect(rare.numbers == often.numbers && rare.states == often.states)
  }

  @Test func `traveling moves the program, and actions that wait are counted`() throws {
    let live = live()
    add(1...5)
    var browser = LiveBrowser()
    try browser.pull(live)
    try recorder.travel(to: 2)
    #expect(try browser.pull(live) == ["position"])
    #expect(browser.place == 2 && browser.isTravelling && browser.held == 0)
    factory.dispatch(.double)
    factory.dispatch(batch: [.add(6), .add(7)])
    #expect(factory.state == [0, 1, 2])
    #expect(try browser.pull(live) == ["position"])
    #expect(browser.held == 2 && browser.numbers.count == 5)
    recorder.resume()
    _ = factory.state
    #expect(try browser.pull(live) == ["entries", "position"])
    #expect(!browser.isTravelling && browser.held == 0 && browser.place == 8)
    #expect(try rootState(of: browser) == factory.state)
  }

  @Test func `a changed past is sent as a whole recording, and so is the return from it`() throws {
    let live = live()
    add(1...5)
    var browser = LiveBrowser()
    try browser.pull(live)
    try recorder.toggle(2)
    #expect(try browser.pull(live) == ["recording", "position"])
    #expect(browser.leftOut == [2])
    #expect(try rootState(of: browser) == [0, 1, 3, 4, 5])
    recorder.resume()
    #expect(try browser.pull(live) == ["recording", "position"])
    #expect(browser.leftOut == [] && browser.place == 5)
    #expect(try rootState(of: browser) == Array(0...5))
    try recorder.travel(to: 3)
    recorder.continueFromHere()
    #expect(try browser.pull(live) == ["recording", "position"])
    #expect(browser.numbers == [1, 2, 3] && !browser.isTravelling)
    add(8...8)
    #expect(try browser.pull(live) == ["entries"])
    #expect(try rootState(of: browser) == [0, 1, 2, 3, 8])
  }

  @Test func `a recording that started over is sent as a whole`() throws {
    let live = live()
    add(1...5)
    var browser = LiveBrowser()
    try browser.pull(live)
    recorder.stopRecording()
    add(6...7)
    #expect(try browser.pull(live) == [])
    recorder.startRecording()
    #expect(try browser.pull(live) == ["recording", "position"])
    #expect(browser.numbers == [])
    #expect(try rootState(of: browser) == Array(0...7))
  }

  @Test func `a new browser gets the newest entries of a long recording, and can travel to them`() throws {
    let live = live(entryLimit: 10)
    add(1...60)
    var browser = LiveBrowser()
    #expect(try browser.pull(live) == ["recording", "position"])
    #expect(browser.numbers == Array(51...60) && browser.omitted == 50 && browser.place == 60)
    try live.perform(#"{"command":"travel","position":3,"omitted":\#(browser.omitted)}"#.utf8)
    #expect(factory.state == Array(0...53))
    try browser.pull(live)
    #expect(browser.place == 53)
  }

  @Test func `a slow browser receives the number of entries it missed, and continues with the newest`() throws {
    let live = live(entryLimit: 10)
    add(1...5)
    var browser = LiveBrowser()
    try browser.pull(live)
    add(6...15)
    #expect(try browser.pull(live) == ["entries"])
    add(16...40)
    #expect(try browser.pull(live) == ["skipped", "recording", "position"])
    #expect(browser.skipped == 15 && browser.numbers == Array(31...40))
    #expect(try rootState(of: browser) == Array(0...40))
    add(41...45)
    #expect(try browser.pull(live) == ["entries"])
    #expect(try rootState(of: browser) == Array(0...45))
  }

  @Test func `entries that the recorder has forgotten are missed, too`() throws {
    let live = live(entryLimit: 1000)
    var browser = LiveBrowser()
    try browser.pull(live)
    add(1...150)
    #expect(try browser.pull(live) == ["skipped", "recording", "position"])
    #expect(browser.skipped == 50 && browser.numbers == Array(51...150) && browser.omitted == 50)
    add(151...160)
    #expect(try browser.pull(live) == ["entries"])
    #expect(browser.place == 160 && browser.numbers.last == 160)
    #expect(try rootState(of: browser) == factory.state)
  }

  @Test func `sending new entries does not reduce earlier ones`() throws {
    let reductions = Protected(0)
    let recorder = Recorder<Int, Int>(limit: 5000, checkpointInterval: 32)
    let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(monitors: [recorder])) {
      state, number in
      state += number
      reductions.withLock { $0 += 1 }
    }
    for number in 1...2000 { factory.dispatch(number) }
    _ = factory.state
    let live = LiveRecording(recorder)
    var browser = LiveBrowser()
    try browser.pull(live)
    for number in 1...10 { factory.dispatch(number) }
    _ = factory.state
    reductions.withLock { $0 = 0 }
    #expect(try browser.pull(live) == ["entries"])
    #expect(reductions.withLock { $0 } <= 2 * 32 + 10)
    #expect(browser.numbers.count == 2010)
  }

  @Test func `stores and tasks are sent when they come and when they end`() async throws {
    let (steps, continuation) = AsyncStream<Int>.makeStream()
    let recorder = Recorder<[Int], Action>(checkpointInterval: 4)
    let factory = StoreFactory<[Int], Action>(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          guard action == .add(1) else { return .none }
          return .run { send in
            for await number in steps { send(.add(number)) }
          }
        },
        reducer: Self.reduce
      ),
      settings: TreeSettings(monitors: [recorder])
    )
    let live = LiveRecording(recorder)
    var browser = LiveBrowser()
    await factory.dispatchAndWait(.add(1))
    try browser.pull(live)
    #expect(browser.tasks.values.sorted() == ["runs"])
    #expect(browser.stores.count == 1)
    var child: StoreObject<Int, Action>? = factory.childStore(
      initialState: 7,
      stateMapping: { $1 },
      feature: Feature<Int, Action> { count, _ in count += 1 }
    )
    _ = factory.state
    #expect(try browser.pull(live) == ["entries"])
    #expect(browser.stores.values.filter { !$0 }.count == 2)
    await child?.store().dispatchAndWait(.double)
    try browser.pull(live)
    guard case .object(let states) = browser.states else { throw CancellationError() }
    #expect(states.members.last?.value == .integer(8))
    child = nil
    await factory.dispatchAndWait(.double)
    try browser.pull(live)
    #expect(browser.stores.values.filter { $0 }.count == 1)
    guard case .object(let left) = browser.states else { throw CancellationError() }
    #expect(left.count == 1)
    continuation.finish()
    _ = await factory.settled()
    try browser.pull(live)
    #expect(browser.tasks.values.sorted() == ["finished"])
  }

  @Test func `each message is one line`() throws {
    let recorder = Recorder<String, String>()
    let factory = StoreFactory<String, String>(initialState: "a\nb", settings: TreeSettings(monitors: [recorder])) {
      $0 = $1
    }
    factory.dispatchAndWait("\u{2028}\r\n</script>")
    let live = LiveRecording(recorder, named: "a\r\nb")
    var cursor = LiveCursor()
    let messages = live.messages(after: &cursor)
    #expect(messages.count == 2)
    for message in messages { #expect(!message.contains(0x0A) && !message.contains(0x0D)) }
  }

  @Test func `the page contains the path of its answers, but no recording`() {
    let page = String(decoding: live().page(path: "live"), as: UTF8.self)
    #expect(page.contains(#"<meta name="arbor-live" content="live">"#))
    #expect(page.hasPrefix("<!doctype html>") && page.contains(#"id="recording"></script>"#))
  }
}
