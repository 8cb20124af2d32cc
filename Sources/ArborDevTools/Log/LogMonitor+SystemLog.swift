#if canImport(os)
  public import os

  extension LogMonitor {
    /// A sink that writes to the system's log, as debug messages.
    ///
    /// - States hold what is personal: the records are private, so the system shows them to a debugger and else leaves them
    ///   out. It cuts long ones.
    public static func systemLog(_ logger: Logger) -> @Sendable (_ record: String) -> Void {
      { record in logger.debug("\(record, privacy: .private)") }
    }
  }
#endif
