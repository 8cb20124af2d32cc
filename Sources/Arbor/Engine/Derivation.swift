/// A derived value, as far as the order matters in which several are settled.
protocol Derivation: AnyObject, Sendable {
  /// Greater than that of all it is derived from.
  var order: UInt64 { get }

  /// Computes the value if it may be another one, and tells those who observe it if it is.
  func settle()
}
