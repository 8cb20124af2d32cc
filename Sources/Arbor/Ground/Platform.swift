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
    /// The innermost tree whose work the thread runs.
    static let currentTree = ThreadLocal()

    /// The objects that the thread is releasing.
    static let currentReleases = ThreadLocal()

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

    /// `true` if that is the running one; another one may be called so once it is gone.
    var isCurrent: Bool { identity == pthread_self() }
  }

  /// The time of the language's continuous clock, in nanoseconds.
  static var continuousTime: Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC_RAW, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Asks the system for zeroed memory, of which it gives what is touched. A whole number of pages.
  static func mapMemory(_ size: Int) -> UnsafeMutableRawPointer {
    let memory: UnsafeMutableRawPointer? = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("Arbor: out of memory") }
    #if !canImport(Darwin)
      // In huge pages, where there are any: to be given page by page costs ten times as much.
      madvise(memory, size, MADV_HUGEPAGE)
    #endif
    return memory
  }

  /// Gives mapped memory back to the system.
  static func unmapMemory(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    munmap(memory, size)
  }

  /// Writes one line to standard error, at once and whole.
  static func writeToStandardError(_ line: String) {
    var line = line + "\n"
    line.withUTF8 { text in
      _ = write(STDERR_FILENO, text.baseAddress, text.count)
    }
  }
}
