/// An exit status.
enum Status: Int32 {
  /// Everything is as it was written, or was done.
  case fine = 0

  /// The storage is not as it was written.
  case findings = 1

  /// The command could not be carried out, or was not understood.
  case failed = 2
}
