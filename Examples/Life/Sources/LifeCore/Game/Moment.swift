/// All that is shown in one frame.
package struct Moment: Equatable, Sendable {
  package let state: LifeState

  /// The pace at which the game goes on.
  package let pace: Pace

  /// The position in the recording, from 0 to ``count``.
  package let position: Int

  /// The number of recorded actions.
  package let count: Int

  /// `true` if another moment than the present is shown.
  package let isPast: Bool

  /// The actions of the person, in order.
  package let interferences: [Interference]

  /// The cell at which a pattern would be set.
  package let cursor: Cell

  /// A sentence about what the last command has done.
  package let note: String
}
