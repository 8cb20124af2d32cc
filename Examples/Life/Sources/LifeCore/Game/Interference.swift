/// An action of a person in the recording.
package struct Interference: Equatable, Sendable {
  /// The number of the action.
  let number: Int

  /// The position before the action.
  package let position: Int

  /// `true` if it is left out of the shown past.
  package let isLeftOut: Bool
}
