import ArborDevTools
import Foundation
import TestSupport
import Testing

@Suite("Redux' lifted state", .oneThread)
struct LiftedStateTests {
  private static let script = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Files/check-lifted-state").standardizedFileURL

  /// Returns the script's report about a file; nil if there is no Python.
  private static func faults(of file: URL) throws -> String? {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["python3", script.path, file.path]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.run()
    let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit)
    guard process.terminationStatus != 127 else { return nil }
    #expect((process.terminationStatus == 0) == text.isEmpty, "\(text)")
    return text
  }

  // The leak checker reports the weak reference of an ended process as a leak.
  #if ASAN
    private static let hasPython = false
  #else
    private static let hasPython = succeeds("python3", "--version")
  #endif

  private static func succeeds(_ arguments: String...) -> Bool {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }

  private static func bytes(
    base: RecordedValue,
    _ actions: [LiftedState.Action],
    _ states: [RecordedValue],
    position: Int
  ) throws -> [UInt8] {
    var bytes: [UInt8] = []
    try LiftedState.write(
      base: base,
      began: 1_795_000_000_000,
      actions: actions,
      states: states,
      position: position
    ) { bytes += $0 }
    return bytes
  }

  private static func value(_ json: String) throws -> RecordedValue { try JSONReader.value(of: Array(json.utf8)) }

  /// Returns a history with everything that has another meaning for those tools.
  static func example() throws -> [UInt8] {
    let state = try value(#"{"count":1,"$jsan":"$","$$jsan":[{"$jsan":1}],"$arbor":"redacted"}"#)
    return try bytes(
      base: try value(#"{"count":0}"#),
      [
        LiftedState.Action(name: "add", value: try value(#"{"add":{"id":3}}"#), timestamp: 1_795_000_000_001),
        LiftedState.Action(name: "skip", value: .integer(5), timestamp: 1_795_000_000_002, isSkipped: true),
        LiftedState.Action(name: "own", value: try value(#"{"type":"x","$jsan":1}"#), timestamp: 1_795_000_000_003),
        LiftedState.Action(name: "bare", value: nil, timestamp: 1_795_000_000_004),
        LiftedState.Action(name: "list", value: .array([.redacted]), timestamp: 1_795_000_000_005),
        LiftedState.Action(name: "secret", value: .redacted, timestamp: 1_795_000_000_006),
      ],
      [state, state, .null, .string("</script>\u{2028}"), state, state],
      position: 4
    )
  }

  @Test func `it equals the kept file`() throws {
    let text = String(decoding: try Self.example(), as: UTF8.self)
    #expect(try text == String(contentsOf: Recordings.kept("lifted-state.json"), encoding: .utf8))
    #expect(text.contains(#""action":{"type":"own","payload":{"type":"x","$$jsan":1}}"#))
    #expect(text.contains(#"{"count":1,"$$jsan":"$","$$$jsan":[{"$$jsan":1}],"$arbor":"redacted"}"#))
  }

  @Test(.enabled(if: hasPython, "there is no python3 to run the script"))
  func `the script finds no fault in written and kept files`() throws {
    #expect(try Self.faults(of: Recordings.kept("lifted-state.json")) == "")
    let nested = try RecordedValue(encoding: Nested(depth: 480))
    let deep = try JSONReader.value(
      of: Array((String(repeating: "[", count: 1000) + String(repeating: "]", count: 1000)).utf8))
    try Recordings.withFolder { folder in
      for (number, bytes) in [
        try Self.bytes(base: .null, [], [], position: 0),
        try Self.bytes(
          base: nested,
          [LiftedState.Action(name: "", value: nested, timestamp: 0)],
          [deep],
          position: 1
        ),
        try Self.bytes(
          base: .integer(0),
          (1...5000).map { LiftedState.Action(name: "a", value: RecordedValue($0), timestamp: Int64($0)) },
          (1...5000).map { .string(String(repeating: "x", count: $0 % 100)) },
          position: 17
        ),
      ].enumerated() {
        let file = folder.appending(path: "\(number).json")
        try Data(bytes).write(to: file)
        #expect(try Self.faults(of: file) == "")
      }
    }
  }

  @Test(.enabled(if: hasPython, "there is no python3 to run the script"))
  func `the script finds each fault`() throws {
    let good = String(decoding: try Self.example(), as: UTF8.self)
    let faults = [
      (#""nextActionId":7"#, #""nextActionId":6"#, "is not below nextActionId"),
      (#""skippedActionIds":[2]"#, #""skippedActionIds":[2,9]"#, "a skipped action is not staged"),
      (#""skippedActionIds":[2]"#, #""skippedActionIds":[0]"#, "the action 0 is skipped"),
      (#""skippedActionIds":[2]"#, #""skippedActionIds":[3]"#, "its state differs from the previous one"),
      (#""stagedActionIds":[0,1,"#, #""stagedActionIds":[1,0,"#, "the first staged action is not 0"),
      (#""stagedActionIds":[0,1,"#, #""stagedActionIds":[0,"#, "states for 6 staged"),
      (#""currentStateIndex":4"#, #""currentStateIndex":7"#, "is beyond"),
      ("@@INIT", "INIT", "is not @@INIT"), (#"{"type":"bare"}"#, "{}", "has no type"),
      (#","timestamp":1795000000004"#, "", "has no timestamp"), (#""isLocked":false,"#, "", "isLocked"),
      (#""$$jsan":"$""#, #""$jsan":"$""#, "has a key $jsan"),
      (#""committedState":{"count":0}"#, #""committedState":1"#, "first state"),
      (#"{"state":null}"#, "{}", "neither a state nor an error"), ("PERFORM_ACTION", "PERFORM", "not PERFORM_ACTION"),
      (#""count":0"#, #""count":NaN"#, "NaN is not JSON"), ("]}\n", "]", "cannot be read"),
    ]
    try Recordings.withFolder { folder in
      for (number, (part, other, fault)) in faults.enumerated() {
        let place = try #require(good.range(of: part), "\(part)")
        let file = folder.appending(path: "\(number).json")
        try good.replacingCharacters(in: place, with: other).write(to: file, atomically: false, encoding: .utf8)
        let found = try Self.faults(of: file) ?? ""
        #expect(found.contains(fault), "\(other): \(found)")
      }
    }
  }

  @Test func `an inconsistent history is refused`() throws {
    let action = LiftedState.Action(name: "a", value: nil, timestamp: 0)
    #expect(throws: LiftedState.Failure.actionsAndStates(1, 0)) {
      try Self.bytes(base: .null, [action], [], position: 0)
    }
    #expect(throws: LiftedState.Failure.position(2, of: 1)) {
      try Self.bytes(base: .null, [action], [.null], position: 2)
    }
  }
}
