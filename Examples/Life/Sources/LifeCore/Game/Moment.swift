/// The content of one frame.
package struct Moment: Equatable, Sendable {
  package let state: LifeState

  /// The pace of the game.
  package let pace: Pace

  /// The position in the recording, from 0 to ``count``.
  package let position: Int

  /// The number of recorded actions.
  package let count: Int

  /// `true` if a moment other than the present is shown.
  package let isPast: Bool

  /// The actions of the person, in order.
  package let interferences: [Interference]

  /// The cell at which a pattern would be inserted.
  package let cursor: Cell

  /// A sentence about the last command.
  package let note: String
}
