internal import Foundation

/// A thread whose stack is large enough for values of the greatest depth.
///
/// - Work on it doesn't see the task-local values of the waiting task.
enum LargeStack {
  private static let size = 8 << 20

  /// Runs a closure on such a thread, and waits for it.
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

  /// A closure that one thread runs while another one waits.
  // Sound: the threads take turns, and the semaphore separates the turns.
  private final class Work<Result, Failure: Error>: @unchecked Sendable {
    private var body: (() throws(Failure) -> Result)?
    private var result: Swift.Result<Result, Failure>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws(Failure) -> Result) {
      self.body = body
    }

    func run() {
      do throws(Failure) { result = .success(try body!()) } catch { result = .failure(error) }
      // The values that the closure uses exist only while the other thread waits.
      body = nil
      isDone.signal()
    }

    func wait() -> Swift.Result<Result, Failure> {
      isDone.wait()
      return result!
    }
  }
}
