internal import Foundation

/// A thread with a stack that is large enough for values of all levels.
///
/// - Work on it does not see the task-local values of the task that waits for it.
enum LargeStack {
  private static let size = 8 << 20

  /// Does work on such a thread, and waits for it.
  static func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let result = withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let thread = Thread { work.run() }
      thread.stackSize = size
      thread.start()
      return work.wait()
    }
    return try result.get()
  }

  /// Work that one thread does while another one waits.
  // Sound: the threads take turns, and the semaphore is between the turns.
  private final class Work<Result, Failure: Error>: @unchecked Sendable {
    private var body: (() throws(Failure) -> Result)?
    private var result: Swift.Result<Result, Failure>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws(Failure) -> Result) {
      self.body = body
    }

    func run() {
      do throws(Failure) { result = .success(try body!()) } catch { result = .failure(error) }
      // Values that the body uses are there only while the other thread waits.
      body = nil
      isDone.signal()
    }

    func wait() -> Swift.Result<Result, Failure> {
      isDone.wait()
      return result!
    }
  }
}
