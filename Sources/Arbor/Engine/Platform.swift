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
  /// A pointer of each thread's own, nil on a new thread.
  struct ThreadLocal: Sendable {
    static let shared = ThreadLocal()

    private let key: pthread_key_t

    private init() {
      var key = pthread_key_t()
      pthread_key_create(&key, nil)
      self.key = key
    }

    var value: UnsafeRawPointer? { UnsafeRawPointer(pthread_getspecific(key)) }

    func set(_ value: UnsafeRawPointer?) {
      pthread_setspecific(key, value)
    }
  }

  /// The thread where this was made.
  struct Thread {
    private let identity = pthread_self()

    /// Whether that is the running one; another one may be called so once it is gone.
    var isCurrent: Bool { identity == pthread_self() }
  }

  /// What the language's continuous clock reads, in nanoseconds.
  static var continuousTime: Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC_RAW, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Writes one line to standard error, at once and whole.
  static func writeToStandardError(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { text in
      _ = write(STDERR_FILENO, text.baseAddress, text.count)
    }
  }
}
