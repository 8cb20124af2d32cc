internal import Arbor
internal import ArborPersistence
internal import ArborSync

/// A session of the board in line mode, which answers each command.
///
/// - A change is answered once it is on this machine's disk. From then on it isn't lost, even if the log cannot be reached.
package struct LineSession {
  private let shared: SharedBoard
  private var numbers = CardNumbers()

  package init(_ shared: SharedBoard) {
    self.shared = shared
  }

  /// Executes a command. Returns the lines of its answer, which are safe to show in a terminal.
  package mutating func answer(_ command: Command) async throws(CommandError) -> [String] {
    switch command {
    case .add(let text):
      numbers.see(shared.state)
      let action = try await make(.add(text, to: .todo))
      guard let id = action?.signature?.id else { return [] }
      return ["added \(numbers.number(of: id))"]
    case .list: return list()
    case .move(let number, let target): return [try await move(number, to: target)]
    case .edit(let number, let text):
      try await make(.edit(card(number).id, text: text))
      return ["edited \(number)"]
    case .assign(let number, let name):
      try await make(.assign(card(number).id, to: name))
      return ["assigned \(number)"]
    case .remove(let number):
      try await make(.remove(card(number).id))
      return ["removed \(number)"]
    case .wait(let position): return [try await wait(for: position)]
    case .status:
      let standing = Standing(shared.status.state)
      let reason: [String] =
        switch standing.connection {
        case .offline(let reason), .stopped(let reason): [reason]
        case .connecting, .connected: []
        }
      return [TerminalText((standing.summary + reason).joined(separator: ", "), atMost: 1000).text]
    case .help: return Command.overview.split(separator: "\n").map(String.init)
    case .quit: return []
    }
  }

  // MARK: Changing

  /// Makes a change. Returns it with its signature.
  @discardableResult
  private func make(_ change: BoardChange) async throws(CommandError) -> BoardAction? {
    let action = await shared.make(change)
    do {
      try await shared.flush()
    } catch {
      throw .notKept("\(error)")
    }
    return action
  }

  private mutating func card(_ number: Int) throws(CommandError) -> Card {
    let board = shared.state
    numbers.see(board)
    guard let card = numbers.card(number, on: board) else { throw .noCard(number) }
    return card
  }

  private mutating func move(_ number: Int, to target: Command.Target) async throws(CommandError) -> String {
    let card = try card(number)
    let cards = shared.state.cards(in: card.column).map(\.id)
    let row = cards.firstIndex(of: card.id) ?? 0
    let change: BoardChange? =
      switch target {
      case .column(let column): .move(card.id, to: column, before: nil)
      case .up: row > 0 ? .move(card.id, to: card.column, before: cards[row - 1]) : nil
      case .down: .move(card.id, to: card.column, before: row + 2 < cards.count ? cards[row + 2] : nil)
      }
    if let change { try await make(change) }
    return "moved \(number)"
  }

  // MARK: Reporting

  private mutating func list() -> [String] {
    let board = shared.state
    numbers.see(board)
    var lines: [String] = []
    for column in Column.allCases {
      for card in board.cards(in: column) {
        let assignee = card.assignee.map { " @\($0)" } ?? ""
        let text = "\(numbers.number(of: card.id)) \(column.rawValue) \(card.text)\(assignee)"
        lines.append(TerminalText(text, atMost: 1000).text)
      }
    }
    return lines + ["\(board.cards.count) \(board.cards.count == 1 ? "card" : "cards")"]
  }

  private func wait(for position: Int) async throws(CommandError) -> String {
    let status = await shared.status.state { status in
      let standing = Standing(status)
      return standing.stopReason != nil || standing.isCaughtUp && standing.position >= position
    }
    let standing = status.map(Standing.init) ?? Standing()
    if let reason = standing.stopReason { throw .stopped(reason) }
    return "caught up at position \(standing.position)"
  }
}
