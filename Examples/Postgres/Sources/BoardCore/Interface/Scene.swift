/// Everything that the screen shows.
package struct Scene: Equatable, Sendable {
  /// The time for which a notice is shown.
  private static let noticeTime = Duration.seconds(10)

  private struct Notice: Equatable {
    let text: String
    let end: Duration
  }

  /// The name of this person.
  package let name: String
  package private(set) var board = Board()

  /// The cards whose last change isn't confirmed yet.
  package private(set) var unconfirmed: Set<Card.ID> = []
  package var standing = Standing()
  package private(set) var people = People()
  package private(set) var interface = Interface()
  private var notice: Notice?

  /// The time since the program started.
  private var time = Duration.zero

  package init(name: String) {
    self.name = name
  }

  /// The message to show in addition to everything else; nil if there is none.
  package var message: String? {
    switch standing.connection {
    case .stopped(let reason): return "Sync has stopped: \(reason). Your changes stay on this machine."
    case .offline(let reason): return notice?.text ?? reason
    case .connecting, .connected: return notice?.text
    }
  }

  // MARK: Events from outside

  /// Shows a board.
  ///
  /// - Parameter confirmed: The board that all clients have confirmed.
  package mutating func show(_ board: Board, confirmed: Board) {
    interface.follow(board, after: self.board)
    self.board = board
    let changes = Set(confirmed.cards.map(\.changed))
    unconfirmed = Set(board.cards.filter { !changes.contains($0.changed) }.map(\.id))
  }

  /// Reports that own changes have a different result than the shown one.
  package mutating func rebase(from before: Board, to after: Board, changes: Int) {
    tell(RebaseNote.text(from: before, to: after, changes: changes, by: name))
  }

  package mutating func tell(_ text: String) {
    notice = Notice(text: text, end: time + Self.noticeTime)
  }

  package mutating func hear(_ presence: Presence) {
    people.hear(presence, at: time)
  }

  /// Advances the time.
  package mutating func tick(to time: Duration) {
    self.time = time
    people.forgetSilent(at: time)
    if let end = notice?.end, end <= time { notice = nil }
  }

  // MARK: Keys

  package mutating func press(_ key: Key) -> Request? {
    interface.press(key, on: board, names: names)
  }

  /// Selects the card that one of the client's own actions has added or moved.
  package mutating func follow(_ action: BoardAction) {
    interface.follow(action)
  }

  /// The names of the people to whom a card can be assigned, starting with this person's name.
  private var names: [String] {
    let others = Set(people.names + board.cards.compactMap(\.assignee)).subtracting([name])
    return [name] + others.sorted()
  }
}
