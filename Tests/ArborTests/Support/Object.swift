/// An object that says when it is freed.
final class Object: Sendable {
  private let whenFreed: @Sendable () -> Void

  init(whenFreed: @escaping @Sendable () -> Void = {}) {
    self.whenFreed = whenFreed
  }

  deinit {
    whenFreed()
  }
}
