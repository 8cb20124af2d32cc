import Arbor
import ArborDevTools
import Foundation
import Testing

@Suite("Recordings of a feature")
struct FeatureRecordingTests {
  struct Row: Codable, Equatable, Identifiable, Sendable {
    let id: Int
    var text = ""
  }

  struct State: Codable, Equatable, Sendable {
    var note = History("")
    var rows = [Row(id: 1), Row(id: 2)]
    var actions = 0
  }

  enum Action: Codable, Equatable, Sendable {
    case note(String)
    case row(Int, String)
    case undo
  }

  private let performed = Lines()

  /// Makes a feature from parts with interceptors and effects, one of them with a history.
  private func makeFeature() -> Feature<State, Action> {
    let note = Feature<String, String>(
      interceptor: { [performed] action, _ in performed.sink("intercepts \(action)") },
      effects: { [performed] _, action in
        performed.sink("performs \(action)")
        return .none
      },
      stateEffects: [
        StateEffect(onChange: { $0 }) { [performed] text in
          performed.sink("sees \(text)")
          return .none
        }
      ],
      reducer: { $0 += $1 }
    )
    let row = Feature<Row, String>(
      effects: { [performed] _, action in
        performed.sink("performs \(action)")
        return .none
      },
      reducer: { $0.text += $1 }
    )
    return .combined(
      note.withHistory().scoped(
        to: \.note,
        action: Action.note,
        extract: { if case .note(let text) = $0 { text } else { nil } }
      ),
      row.forEach(
        \.rows,
        action: Action.row,
        extract: { if case .row(let id, let text) = $0 { (id, text) } else { nil } }
      ),
      Feature { state, action in
        state.actions += 1
        if action == .undo { state.note.undo() }
      }
    )
  }

  private let actions: [Action] = [.note("a"), .row(2, "x"), .note("b"), .undo, .row(1, "y"), .row(3, "z"), .note("c")]

  @Test func `a recording reduces like a store with the feature`() throws {
    var recording = Recording(initialState: State(), checkpointInterval: 2, feature: makeFeature())
    try recording.perform(actions)
    #expect(performed.all.isEmpty)
    let factory = StoreFactory(initialState: State(), feature: makeFeature())
    for (position, action) in actions.enumerated() {
      #expect(try recording.state(at: position) == factory.state)
      factory.dispatchAndWait(action)
    }
    #expect(recording.state == factory.state)
    #expect(recording.state.note.document == "ac" && recording.state.rows.map(\.text) == ["y", "x"])
    try recording.toggle(4)
    #expect(recording.state.note.document == "abc")
  }

  @Test func `a file can be read with the feature that wrote it`() throws {
    var recording = Recording(initialState: State(), feature: makeFeature())
    try recording.perform(actions)
    try recording.setLimit(5)
    try Recordings.withFolder { folder in
      let file = folder.appending(path: "a.arbor.json")
      try recording.write(to: file)
      var loaded = try Recording(contentsOf: file, checkpointInterval: 2, feature: makeFeature())
      #expect(loaded.entries.map(\.rootAction) == recording.entries.map(\.rootAction))
      for position in 0...recording.count {
        #expect(try loaded.state(at: position) == recording.state(at: position))
      }
      try loaded.perform([.undo, .undo])
      #expect(loaded.state.note.document == "")
      try loaded.perform([.note("z"), .undo])
      #expect(loaded.state.note.document == "" && loaded.state.note.canRedo)
    }
    #expect(performed.all.isEmpty)
  }

  @Test func `a feature without reducers changes nothing`() throws {
    var recording = Recording(initialState: 1, feature: Feature<Int, Int>())
    try recording.perform([1, 2])
    #expect(recording.state == 1 && recording.count == 2)
  }

  @Test func `commits are applied, and then passed to the middleware`() throws {
    let feature = Feature<[Int], Mutation<[Int]>> { state, _ in state.append(0) }
    var recording = Recording(initialState: [], feature: feature)
    try recording.perform([.init { $0.append(1) }, .init { $0.append(2) }])
    #expect(recording.state == [1, 0, 2, 0])
  }
}
