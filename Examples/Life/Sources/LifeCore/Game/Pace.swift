/// The change of the shown moment from one frame to the next.
package enum Pace: String, Sendable {
  /// A generation passes.
  case live

  /// Nothing changes.
  case paused

  /// The recording is played backward.
  case rewinding

  /// The recording is played forward, up to the present.
  case replaying
}
