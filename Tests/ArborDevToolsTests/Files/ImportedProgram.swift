import Arbor
import ArborDevTools
import Foundation
import Testing

/// A program with recordings to write and read.
enum ImportedProgram {
  struct State: Codable, Equatable, Sendable {
    var items: [String] = []
    var note: String?
    var edits = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case add(String)
    case note(String?)
    case clear
  }

  struct Selection: Codable, Equatable, Sendable {
    var index: Int?
    var count = 0
  }

  struct Failure: Error, CustomStringConvertible {
    let description = "no \"connection\"\n"
  }

  static func reduce(_ state: inout State, _ action: Action) {
    switch action {
    case .add(let item): state.items.append(item)
    case .note(let note): state.note = note
    case .clear: state.items = []
    }
    state.edits += 1
  }

  /// Returns a recording with everything that a recording can have.
  ///
  /// It has all outcomes, a batch, tasks that finish and fail, stores that come and go, and an action that is left out.
  static func recording() async throws -> Recording<State, Action> {
    let recorder = Recorder<State, Action>(checkpointInterval: 3)
    let factory = StoreFactory<State, Action>(
      initialState: State(),
      feature: Feature(
        interceptors: [
          Interceptor { action, _ in
            switch action {
            case .add("dropped"): .drop
            case .add("replaced"): .replace(with: .add("replacement"))
            case .add("held"): .hold { held in held.pass() }
            default: .pass
            }
          }
        ],
        effects: { _, action in
          switch action {
          case .note("task"): .run(key: "task") { dispatch in dispatch(.add("from the task")) }
          case .note("failure"): .run { _ in throw Failure() }
          default: .none
          }
        },
        reducer: reduce
      ),
      settings: TreeSettings(monitors: [recorder], onEffectError: { _, _, _ in })
    )
    let early = selection(of: factory)
    factory.dispatch(.add("first </script>\u{2028}"))
    for text in ["dropped", "replaced", "held"] { factory.dispatch(.add(text)) }
    factory.dispatch(batch: [.add("a"), .clear, .add("b")])
    var late: StoreObject<(State, Selection), Action>? = selection(of: factory)
    late?.store().dispatch(.add("in the child"))
    early.dispatch(.note("also in the child"))
    await factory.settled()
    late = nil
    factory.dispatch(.note("task"))
    factory.dispatch(.note("failure"))
    await factory.settled()
    factory.dispatch(.note(nil))
    factory.dispatch(.add("last"))
    await factory.settled()
    var recording = try #require(recorder.recording)
    try recording.toggle(1)
    try recording.jump(to: recording.count - 2)
    withExtendedLifetime((factory, early)) {}
    return recording
  }

  private static func selection(of factory: StoreFactory<State, Action>) -> StoreObject<(State, Selection), Action> {
    factory.childStore(initialState: Selection()) { selection, action in
      selection.count += 1
      if case .add = action { selection.index = selection.count }
    }
  }

  /// Returns the bytes of a file of the recording, in which the last action can't be repeated.
  static func bytes() async throws -> [UInt8] {
    let text = String(decoding: try bytes(await recording()), as: UTF8.self)
    let last = try #require(text.range(of: #""outcome":"reduced""#, options: .backwards))
    return Array(text.replacingCharacters(in: last, with: #""outcome":"reduced","barrier":true"#).utf8)
  }

  static func bytes(
    _ recording: Recording<State, Action>,
    redacting redactions: [Redaction<State, Action>] = []
  ) throws -> [UInt8] {
    try Recordings.withFolder { folder in
      let file = folder.appending(path: "a.arbor.json")
      try recording.write(to: file, redacting: redactions)
      return Array(try Data(contentsOf: file))
    }
  }

  static func imported(
    _ bytes: [UInt8],
    checkpointInterval: Int = 4,
    onDamage: ((RecordingFileError) -> Void)? = nil
  ) throws(RecordingFileError) -> Recording<State, Action> {
    try Recording(
      RecordingFileReader(bytes),
      checkpointInterval: checkpointInterval,
      onDamage: onDamage,
      reducer: reduce
    )
  }
}
