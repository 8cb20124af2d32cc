import Arbor
import ArborEntities
import ArborSync

/// The state of a simulated program. It differs for different actions and for each order of them.
struct Counted: Codable, Equatable, Sendable {
  /// The number of its actions.
  var count = 0

  /// A digest of the actions in their order.
  var digest: UInt64 = 0

  /// The marked clients, and the clients that have marked them.
  var marks: [String: Set<String>] = [:]
  var upload = JobState()
  var isOpen = false
  var draft = History("", limit: 5)
  var rows = EntityTable<Row>()

  struct Row: UniquelyIndexedEntity, Codable, Equatable {
    let id: Int
    var group: Int

    static let groups = GroupedIndex(\Row.group)
    static let sorted = SortedIndex(\Row.group)
    static let numbers = UniqueIndex(\Row.group.magnitude)
    static let pile = ManualOrder<Row>("pile")

    static var indexes: [any EntityIndex<Row>] { [groups, sorted, numbers, pile] }
  }
}

/// An action of a simulated program. Each has a unique id.
struct CountedAction: Codable, Equatable, Sendable {
  enum Kind: Codable, Equatable, Sendable {
    case add
    case mark(String, by: String)
    case upload
    case uploaded
    case open(Bool)
    case type(by: String)
    case undo(by: String?)
    case row(Int, group: Int)
    case take
  }

  let id: Int
  let kind: Kind

  /// The number that the sender's stamp contains.
  var stamp: UInt64?

  static func reduce(_ state: inout Counted, _ action: CountedAction) {
    state.count += 1
    let number = UInt64(action.id) &+ (action.stamp ?? 0)
    state.digest = (state.digest &* 31 &+ number) ^ (state.digest >> 7)
    switch action.kind {
    case .add: break
    case .mark(let client, let sender): state.marks[client, default: []].insert(sender)
    // A running job continues.
    case .upload: if !state.upload.isInProgress { state.upload.run() }
    case .uploaded: if state.upload.isInProgress { state.upload.succeed() }
    case .open(let isOpen): state.isOpen = isOpen
    case .type(let author):
      state.draft.document += "\(action.id % 10)"
      state.draft.record(group: "typing", author: author)
    case .undo(nil): state.draft.undo()
    case .undo(let author?):
      state.draft.undo(by: author) { text, old, _ in
        guard let last = old.last, let index = text.lastIndex(of: last) else { return false }
        text.remove(at: index)
        return true
      }
    case .row(let id, let group):
      do {
        try state.rows.upsert(Counted.Row(id: id, group: group))
        try state.rows.insert(id, at: 0, in: Counted.Row.pile)
      } catch {
        state.digest &+= UInt64("\(error)".count)
      }
    case .take:
      if let group = state.rows.keys(of: Counted.Row.groups).first {
        state.rows.remove(state.rows[Counted.Row.groups, group][0].id)
      }
    }
  }
}
