/// A part of the running action that a feature stores until the step ends, regardless of the outcome.
@usableFromInline
package final class KeptPart: Sendable {
  /// Releases the part. Called on the tree's queue.
  let letGo: @Sendable () -> Void

  @usableFromInline
  package init(letGo: @escaping @Sendable () -> Void) {
    self.letGo = letGo
  }
}
