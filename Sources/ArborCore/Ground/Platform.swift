internal import Dispatch

#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The parts of the C library that Arbor uses.
package enum Platform {
  /// A variable with one pointer per thread; nil on a new thread.
  struct ThreadLocal: Sendable {
    /// The innermost tree whose work the thread runs.
    static let currentTree = ThreadLocal()

    /// The ``DeferredReleases`` whose objects the thread is releasing.
    static let currentReleases = ThreadLocal()

    /// The tree whose moment the thread is showing to an observer, on a queue other than the tree's.
    static let shownMoment = ThreadLocal()

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

    /// Calls a body during which the thread has another value.
    func with(_ value: UnsafeRawPointer?, _ body: () -> Void) {
      let outer = self.value
      set(value)
      body()
      set(outer)
    }
  }

  /// The thread on which this value was made.
  package struct Thread {
    private let identity = pthread_self()

    /// `true` if the calling thread is that thread. After that thread ends, a new one may be mistaken for it.
    var isCurrent: Bool { identity == pthread_self() }
  }

  /// The time of Swift's `ContinuousClock`, in nanoseconds.
  static var continuousTime: Int64 {
    var time = timespec()
    #if canImport(Darwin)
      clock_gettime(CLOCK_MONOTONIC_RAW, &time)
    #else
      clock_gettime(CLOCK_BOOTTIME, &time)
    #endif
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }

  /// Maps zeroed memory. The system provides each page when it is first accessed.
  ///
  /// - Parameter size: The number of bytes, a multiple of the page size.
  static func mapMemory(_ size: Int) -> UnsafeMutableRawPointer {
    let memory: UnsafeMutableRawPointer? = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
    guard let memory, memory != MAP_FAILED else { fatalError("Arbor: out of memory") }
    #if !canImport(Darwin)
      // Huge pages, if the system has them: providing memory in small pages costs ten times as much.
      madvise(memory, size, MADV_HUGEPAGE)
    #endif
    return memory
  }

  /// Returns mapped memory to the system.
  static func unmapMemory(_ memory: UnsafeMutableRawPointer, _ size: Int) {
    munmap(memory, size)
  }

  /// Writes one line to standard error, unbuffered and in one piece, unless a test takes it.
  package static func writeToStandardError(_ line: String) {
    if let take = ReportSink.take.withLock({ $0 }), take(line) { return }
    var line = line + "\n"
    line.withUTF8 { text in
      var rest = text[...]
      while !rest.isEmpty {
        let count = write(STDERR_FILENO, UnsafeBufferPointer(rebasing: rest).baseAddress, rest.count)
        // A signal may interrupt, and a pipe may accept only a part.
        guard count > 0 || count < 0 && errno == EINTR else { return }
        rest = rest.dropFirst(max(count, 0))
      }
    }
  }
}

/// The function that takes reports in tests, so that they aren't written to standard error.
package enum ReportSink {
  /// Receives each line on the thread that reports it, and returns `true` to take the line. Nil outside tests.
  package static let take = Protected<(@Sendable (_ line: String) -> Bool)?>(nil)
}

/// A quality of service as a single number, which is small and fast to compare.
@usableFromInline
struct Quality: Comparable, Sendable {
  static let unspecified = Quality(.unspecified)

  /// The classes, in ascending order. Each has sixteen relative priorities, from -15 to 0, which is the default.
  private static let classes: [DispatchQoS.QoSClass] = [
    .unspecified, .background, .utility, .default, .userInitiated, .userInteractive,
  ]

  private let rank: Int

  init(_ service: DispatchQoS) {
    // The system stops a program that requests a relative priority outside this range.
    let priority = min(max(service.relativePriority, -15), 0)
    rank = (Quality.classes.firstIndex(of: service.qosClass) ?? 0) * 16 + priority
  }

  var service: DispatchQoS {
    let index = (rank + 15) / 16
    return DispatchQoS(qosClass: Quality.classes[index], relativePriority: rank - index * 16)
  }

  @usableFromInline
  static func < (left: Quality, right: Quality) -> Bool {
    left.rank < right.rank
  }
}
