/// A person's command.
package enum Command: Equatable, Sendable {
  /// Pauses, or goes on.
  case pause

  /// Shows an earlier or a later moment, a number of positions away.
  case step(Int)

  /// Plays the recording backward.
  case rewind

  /// Leaves out the last interference before the moment, or takes it in again.
  case leaveOut

  /// Makes the moment that is shown the present.
  case continueFromHere

  /// Shows the present again.
  case present

  /// Sets a pattern at the cursor.
  case insert(Pattern)

  /// Replaces all cells by chance.
  case sow

  /// Moves the cursor.
  case move(Cell)

  case quit
}
