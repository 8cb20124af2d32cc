extension Duration {
  /// As long as a busy machine may take, so that no test fails by the clock.
  static let generous = Duration.seconds(3600)
}
