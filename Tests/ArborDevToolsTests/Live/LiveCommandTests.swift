import Arbor
import ArborDevTools
import Testing

@Suite("Commands to a live recording")
struct LiveCommandTests {
  typealias Action = LiveRecordingTests.Action

  private let recorder: Recorder<[Int], Action>
  private let factory: StoreFactory<[Int], Action>
  private let live: LiveRecording<[Int], Action>

  init() {
    recorder = Recorder(limit: 10, checkpointInterval: 4)
    factory = StoreFactory(
      initialState: [0],
      settings: TreeSettings(monitors: [recorder]),
      reducer: LiveRecordingTests.reduce
    )
    live = LiveRecording(recorder, dispatch: { [factory] in factory.dispatchAndWait($0) })
    for number in 1...5 { factory.dispatchAndWait(.add(number)) }
  }

  /// Returns the error of a refused command; nil if the command was accepted.
  private func refusal(_ command: String) -> LiveCommandError? {
    do throws(LiveCommandError) {
      try live.perform(command.utf8)
      return nil
    } catch {
      return error
    }
  }

  @Test func `the program travels and continues`() {
    #expect(refusal(#"{"command":"travel","position":2}"#) == nil)
    #expect(factory.state == [0, 1, 2])
    #expect(refusal(#"{"command":"step","by":-1}"#) == nil)
    #expect(factory.state == [0, 1])
    #expect(refusal(#"{"command":"toggle","number":1}"#) == nil)
    #expect(factory.state == [0])
    #expect(refusal(#"{"command":"toggleEpoch","number":1}"#) == nil)
    #expect(factory.state == [0, 1])
    #expect(refusal(#"{"command":"resume"}"#) == nil)
    #expect(factory.state == [0, 1, 2, 3, 4, 5])
    #expect(refusal(#"{"command":"travel","position":3}"#) == nil)
    #expect(refusal(#"{"command":"continueFromHere"}"#) == nil)
    #expect(factory.state == [0, 1, 2, 3] && !recorder.isTravelling)
    #expect(recorder.recording?.count == 3)
  }

  @Test func `a position after omitted entries stays the same when more entries are forgotten`() {
    for number in 6...15 { factory.dispatchAndWait(.add(number)) }
    #expect(recorder.recording?.count == 10)
    #expect(refusal(#"{"command":"travel","position":8,"omitted":0}"#) == nil)
    #expect(factory.state == Array(0...8))
    #expect(refusal(#"{"command":"travel","position":2,"omitted":0}"#) == .refused(.noSuchPosition(-3, count: 10)))
    #expect(factory.state == Array(0...8))
  }

  @Test func `an action that was written as JSON is dispatched`() {
    #expect(refusal(#" {"command": "dispatch", "action": {"add": {"_0": 9}}} "#) == nil)
    #expect(factory.state == [0, 1, 2, 3, 4, 5, 9])
    #expect(refusal(#"{"command":"dispatch","action":{"double":{}}}"#) == nil)
    #expect(factory.state.last == 18)
  }

  @Test(arguments: [
    #"{"add":{"_0":"9"}}"#, #"{"add":{}}"#, #"{"subtract":{}}"#, "3", "[]", #""add""#, #"{"add":{"_0":1e300}}"#,
    #"{"$arbor":"redacted"}"#, #"{"add":{"_0":9},"double":{}}"#,
  ])
  func `JSON that is not an action is refused`(action: String) {
    guard case .notAnAction(let reason) = refusal(#"{"command":"dispatch","action":\#(action)}"#) else {
      Issue.record("\(action) is not refused")
      return
    }
    #expect(!reason.isEmpty)
    #expect(factory.state == Array(0...5))
  }

  @Test func `the sentence about an action contains the place in it`() {
    let error = refusal(#"{"command":"dispatch","action":{"add":{"_0":"9"}}}"#)
    #expect(
      error?.description == """
        This is not an action of the program: There is a string instead of Int, at add._0. \
        Codable writes .add("…") as {"add":{"_0":"…"}}.
        """
    )
  }

  @Test(arguments: [
    "", "{", "nonsense", #"{"command":"resume"}}"#, #"{"command":"resume"} 1"#, "\u{0}", "{\"command\":resume}",
  ])
  func `invalid JSON is refused`(text: String) {
    guard case .notJSON = refusal(text) else {
      Issue.record("\(text) is not refused")
      return
    }
  }

  @Test func `bytes that are not text, and endless depth, are refused`() {
    for bytes in [[0xFF, 0xFE, 0x00], Array(repeating: UInt8(ascii: "["), count: 1_000_000)] {
      #expect(throws: LiveCommandError.self) { try live.perform(bytes) }
    }
    let depth = String(repeating: "[", count: 900) + String(repeating: "]", count: 900)
    #expect(refusal(#"{"command":"dispatch","action":\#(depth)}"#) != nil)
    #expect(factory.state == Array(0...5))
  }

  @Test(arguments: [
    "[]", "null", "3", "{}", #"{"command":3}"#, #"{"command":"explode"}"#, #"{"command":"travel"}"#,
    #"{"command":"travel","position":"2"}"#, #"{"command":"travel","position":1.5}"#,
    #"{"command":"travel","position":1e400}"#, #"{"command":"travel","position":99999999999999999999}"#,
    #"{"command":"travel","position":1,"omitted":"x"}"#, #"{"command":"step"}"#, #"{"command":"step","by":true}"#,
    #"{"command":"toggle"}"#, #"{"command":"toggle","number":[]}"#, #"{"command":"toggleEpoch","number":null}"#,
    #"{"command":"dispatch"}"#,
  ])
  func `JSON that is not a command is refused`(text: String) {
    guard case .notACommand = refusal(text) else {
      Issue.record("\(text) is not refused")
      return
    }
    #expect(factory.state == Array(0...5) && !recorder.isTravelling)
  }

  @Test(arguments: [
    #"{"command":"travel","position":-1}"#, #"{"command":"travel","position":6}"#,
    #"{"command":"travel","position":9223372036854775807}"#, #"{"command":"travel","position":-9223372036854775808}"#,
    #"{"command":"travel","position":9223372036854775807,"omitted":9223372036854775807}"#,
    #"{"command":"travel","position":-9223372036854775808,"omitted":-9223372036854775808}"#,
    #"{"command":"travel","position":-9223372036854775808,"omitted":0}"#,
    #"{"command":"step","by":1}"#, #"{"command":"step","by":-9223372036854775808}"#,
    #"{"command":"step","by":9223372036854775807}"#, #"{"command":"toggle","number":0}"#,
    #"{"command":"toggle","number":6}"#, #"{"command":"toggle","number":-9223372036854775808}"#,
    #"{"command":"toggleEpoch","number":9223372036854775807}"#,
  ])
  func `a command about something that does not exist is refused, and nothing happens`(text: String) {
    guard case .refused = refusal(text) else {
      Issue.record("\(text) is not refused")
      return
    }
    #expect(factory.state == Array(0...5) && !recorder.isTravelling)
  }

  @Test func `an action that cannot be decoded, or is not allowed, is not dispatched`() {
    struct Opaque: Sendable {}
    let opaque = LiveRecording(Recorder<Int, Opaque>(), dispatch: { _ in Issue.record("dispatched") })
    #expect(throws: LiveCommandError.cannotDispatch("Opaque is not Decodable")) {
      try opaque.perform(#"{"command":"dispatch","action":{}}"#.utf8)
    }
    #expect(throws: LiveCommandError.cannotDispatch("the program does not allow it")) {
      try LiveRecording(recorder).perform(#"{"command":"dispatch","action":{"double":{}}}"#.utf8)
    }
    #expect(throws: LiveCommandError.refused(.noStore)) {
      try opaque.perform(#"{"command":"step","by":1}"#.utf8)
    }
  }
}
