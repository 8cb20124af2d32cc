/// Says that the last one is gone that held it.
@usableFromInline
final class SourceToken: Sendable {
  private let whenGone: @Sendable () -> Void

  @usableFromInline init(whenGone: @escaping @Sendable () -> Void) {
    self.whenGone = whenGone
  }

  deinit {
    whenGone()
  }
}
