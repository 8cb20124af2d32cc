/// An object that reports when it is freed.
package final class Object: Sendable {
  private let whenFreed: @Sendable () -> Void

  package init(whenFreed: @escaping @Sendable () -> Void = {}) {
    self.whenFreed = whenFreed
  }

  deinit {
    whenFreed()
  }
}
