internal import Arbor
package import ArborSync

package typealias SharedBoard = SharedStore<Board, BoardAction>

extension SharedBoard {
  /// Makes a change, and returns when it is shown.
  ///
  /// - Returns: The action with its signature, which contains the id of an added card; nil if the store is gone.
  package func make(_ change: BoardChange) async -> BoardAction? {
    let made = activities(of: BoardAction.self)
    dispatch(BoardAction(change))
    for await action in made where action.change == change { return action }
    return nil
  }
}
