#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The little that Arbor needs of the C library.
enum Platform {
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  /// A pointer of this thread's own, nil on a new thread.
  static var threadLocal: UnsafeRawPointer? {
    get { UnsafeRawPointer(pthread_getspecific(key)) }
    set { pthread_setspecific(key, newValue) }
  }

  /// Writes one line to standard error, at once and whole.
  static func writeToStandardError(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { text in
      _ = write(STDERR_FILENO, text.baseAddress, text.count)
    }
  }
}
