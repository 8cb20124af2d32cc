extension Int {
  /// Whether the observer of this number is of the form with a completion handler.
  var isCompletingObserver: Bool { !isMultiple(of: 2) }
}
