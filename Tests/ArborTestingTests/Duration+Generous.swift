extension Duration {
  /// Longer than a busy machine may need, so that no test fails because of time.
  static let generous = Duration.seconds(3600)
}
