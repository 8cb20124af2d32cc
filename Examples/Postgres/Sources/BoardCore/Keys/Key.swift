/// A key that was pressed.
package enum Key: Equatable, Sendable {
  /// The direction of an arrow key.
  package enum Direction: Sendable {
    case up, down, left, right
  }

  /// A character that isn't a control character.
  case character(Character)

  /// A letter with the control key.
  case control(Character)

  /// A character with the alt key.
  case alt(Character)

  /// An arrow key, shifted if the shift, control or alt key was also pressed.
  case arrow(Direction, isShifted: Bool)

  /// Pasted text as a whole, which is never interpreted as commands.
  case paste(String)

  case enter, escape, tab, backTab, backspace, delete, home, end, pageUp, pageDown

  package static func arrow(_ direction: Direction) -> Key { .arrow(direction, isShifted: false) }
}
