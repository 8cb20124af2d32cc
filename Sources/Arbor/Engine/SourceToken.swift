/// Says that the last source is gone which held it.
final class SourceToken: Sendable {
  private let whenGone: @Sendable () -> Void

  init(whenGone: @escaping @Sendable () -> Void) {
    self.whenGone = whenGone
  }

  deinit {
    whenGone()
  }
}
