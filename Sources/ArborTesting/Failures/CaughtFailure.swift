/// A failure that a sink took, and the place where it was found.
package struct CaughtFailure: Sendable {
  package let failure: TestFailure
  package let place: SourcePlace
}
