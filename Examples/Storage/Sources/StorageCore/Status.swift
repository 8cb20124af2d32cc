/// An exit status.
enum Status: Int32 {
  /// Everything is unchanged, or everything was done.
  case fine = 0

  /// The storage differs from what was written.
  case findings = 1

  /// The command failed, or was invalid.
  case failed = 2
}
