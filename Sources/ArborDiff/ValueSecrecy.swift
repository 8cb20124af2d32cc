/// A rule that says which values nobody shall see.
package protocol ValueSecrecy {
  /// `true` if a value is secret.
  func isSecret(_ value: Any) -> Bool

  /// `true` if a value that cannot be looked into may have a secret one inside, which its description could show.
  func mayBeInside(_ value: Any) -> Bool
}
