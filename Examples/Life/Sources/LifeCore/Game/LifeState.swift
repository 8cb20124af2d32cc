/// The state of the program.
package struct LifeState: Equatable, Sendable {
  package var world = World()

  /// The number of generations since the beginning.
  package var generation = 0
}
