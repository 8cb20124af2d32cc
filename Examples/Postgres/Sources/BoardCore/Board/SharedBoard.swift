internal import Arbor
package import ArborSync

package typealias SharedBoard = SharedStore<Board, BoardAction>

extension SharedBoard {
  /// Makes a change, and returns when it is shown.
  ///
  /// - Returns: The action with its signature, in which is the id of a card that was added; nil if the store has gone.
  package func make(_ change: BoardChange) async -> BoardAction? {
    let made = activities(of: BoardAction.self)
    dispatch(BoardAction(change))
    for await action in made where action.change == change { return action }
    return nil
  }

  /// Returns when nothing waits, or the log cannot be reached, and after some time at the latest.
  package func sendRest(for duration: Duration) async {
    let status = status
    let sending = Task {
      await status.state { status in
        let standing = Standing(status)
        return switch standing.line {
        case .connecting, .connected: standing.waiting == 0
        case .offline, .stopped: true
        }
      }
    }
    let limit = Task {
      try await Task.sleep(for: duration)
      sending.cancel()
    }
    _ = await sending.value
    limit.cancel()
  }
}
