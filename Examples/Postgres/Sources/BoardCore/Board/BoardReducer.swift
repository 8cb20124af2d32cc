/// Changes the board.
///
/// - It decides with the current board: a change of a card that no longer exists has no effect.
/// - It depends only on the board and the action, so the result is the same in each process. The time and the ids are in the
///   signature. An action without a signature has no effect.
@Sendable
package func boardReducer(_ board: inout Board, _ action: BoardAction) {
  guard let signature = action.signature else { return }
  switch action.change {
  case .add(let text, let column): board.add(Card(text, in: column, by: signature))
  case .edit(let id, let text):
    board.change(id, by: signature) { card in
      if !text.isEmpty { card.text = text }
    }
  case .assign(let id, let name): board.change(id, by: signature) { $0.assignee = name }
  case .move(let id, let column, let neighbor): board.move(id, to: column, before: neighbor, by: signature)
  case .remove(let id): board.remove(id)
  }
}
