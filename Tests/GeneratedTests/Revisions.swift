import Arbor
import ArborDevTools
import ArborEntities
import ArborTesting

/// A program whose histories have changes before a recording begins.
struct Revisions: Equatable, Sendable {
  var text = History("", limit: 5)
  var songs: History<EntityTable<Song>>? = History([])

  /// The changes to make, one after the other.
  static let changes: [@Sendable (inout Revisions) throws -> Void] = [
    { $0.type("a", group: "typing") }, { $0.type("ab", group: "typing") },
    {
      $0.text.endGroup()
      $0.type("abc", group: "typing", author: "Ann")
      $0.text.endGroup()
      $0.type("abcd", group: "typing", author: "Ann")
    },
    {
      $0.text.undo(by: "Ann") { document, _, _ in
        document = "merged"
        return true
      }
    },
    { $0.text.redo(by: "Ann") },
    { $0.type("e") }, { $0.text.go(to: 1) }, { $0.text.document = "not recorded" },
    {
      $0.text.beginGroup("drag", author: "Bob")
      $0.type("f", author: "Bob")
    },
    { $0.text.endGroup() }, { $0.text.undo() },
    { try $0.songs?.document.insert(Song(id: 1)) },
    {
      $0.songs?.record()
      try $0.songs?.document.insert(Song(id: 2))
      $0.songs?.record(group: "songs")
      try $0.songs?.document.append(2, to: Song.queue)
      $0.songs?.record()
    },
    { $0.songs?.undo() },
    { $0.text.limit = 1 },
  ]

  private mutating func type(_ text: String, group: String? = nil, author: String? = nil) {
    self.text.document = text
    self.text.record(group: group, author: author)
  }

  /// The text of a test file with tests that begin after some of the changes.
  static func file() throws -> String {
    var state = Revisions()
    var functions: [String] = []
    for number in changes.indices {
      try changes[number](&state)
      guard [2, 4, 6, 7, 8, 12, 13, 14].contains(number) else { continue }
      var source = TestSource<Revisions, RevisionAction>(name: "from change \(number) on", initialState: state)
      var next = state
      next.text.undo()
      next.songs?.redo()
      source.steps = [.init(.sent, .undo, state: next)]
      source.makeStore = "TestStore(initialState: …, feature: revisions)"
      functions.append(try source.function())
    }
    return TestFile(suite: "RevisionTests", modules: ["ArborEntities"]).text(of: functions)
  }
}

enum RevisionAction: Equatable, Sendable {
  case undo
}

let revisions = Feature<Revisions, RevisionAction> { state, _ in
  state.text.undo()
  state.songs?.redo()
}
