import Arbor
import Foundation
import Testing

// The code of the article for users of Redux that replays a session of the old program. Another test compares the two texts.

struct LiftedState: Decodable {
  struct Entry: Decodable {
    let action: OldAction
  }

  let actionsById: [String: Entry]
  let stagedActionIds: [Int]
  let skippedActionIds: [Int]
}

struct OldAction: Decodable {
  let type: String
  let payload: String?
}

extension AppAction {
  init?(_ old: OldAction) {
    switch (old.type, old.payload) {
    case ("todos/added", let text?): self = .add(text)
    case ("draft/edited", let text?): self = .draft(.edit(text))
    default: return nil
    }
  }
}

@Suite("Coming from Redux")
struct ComingFromReduxSnippets {
  @Test func `a session of the old program reaches the same state`() throws {
    let exported = Data(
      """
      {
        "actionsById": {
          "0": {"type": "PERFORM_ACTION", "action": {"type": "@@INIT"}, "timestamp": 1},
          "1": {"type": "PERFORM_ACTION", "action": {"type": "todos/added", "payload": "Rake"}, "timestamp": 2},
          "2": {"type": "PERFORM_ACTION", "action": {"type": "todos/added", "payload": "Mow"}, "timestamp": 3},
          "3": {"type": "PERFORM_ACTION", "action": {"type": "draft/edited", "payload": "Prune"}, "timestamp": 4}
        },
        "stagedActionIds": [0, 1, 2, 3],
        "skippedActionIds": [2],
        "currentStateIndex": 3,
        "computedStates": [{"state": {}}, {"state": {}}, {"state": {}}, {"state": {}}]
      }
      """.utf8)

    let session = try JSONDecoder().decode(LiftedState.self, from: exported)
    let ids = session.stagedActionIds.filter { !session.skippedActionIds.contains($0) }
    let actions = ids.compactMap { id in session.actionsById["\(id)"].flatMap { AppAction($0.action) } }
    let factory = StoreFactory(initialState: AppState(), reducer: reducer)
    for action in actions { factory.dispatch(action) }

    #expect(factory.state == AppState(todos: ["Rake"], draft: "Prune"))
  }
}
