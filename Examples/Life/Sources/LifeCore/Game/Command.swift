/// A person's command.
package enum Command: Equatable, Sendable {
  /// Pauses or continues.
  case pause

  /// Shows an earlier or a later moment, a number of positions away.
  case step(Int)

  /// Plays the recording backward.
  case rewind

  /// Removes the last interference before the moment, or restores it.
  case leaveOut

  /// Makes the shown moment the present.
  case continueFromHere

  /// Shows the present again.
  case present

  /// Adds a pattern at the cursor.
  case insert(Pattern)

  /// Replaces all cells at random.
  case sow

  /// Moves the cursor.
  case move(Cell)

  case quit
}
