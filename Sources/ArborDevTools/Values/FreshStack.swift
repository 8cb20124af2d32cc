internal import Foundation

/// Additional stacks for deeply recursive work.
///
/// - Work on such a stack doesn't see the task-local values of the task that waits for it.
enum FreshStack {
  /// The number of levels that share a stack. They fit into the smallest stacks, which have half a megabyte.
  private static let levels = 64

  /// Runs the work of a level; on a new thread if the previous levels have used up their stack.
  static func run<Result, Failure: Error>(
    atLevel level: Int,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard level > 0, level.isMultiple(of: levels) else { return try body() }
    let result = withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let thread = Thread { work.run() }
      thread.stackSize = 1 << 20
      thread.start()
      return work.wait()
    }
    return try result.get()
  }

  /// Work that one thread does while another one waits.
  // Sound: the threads take turns, separated by the semaphore.
  private final class Work<Result, Failure: Error>: @unchecked Sendable {
    private var body: (() throws(Failure) -> Result)?
    private var result: Swift.Result<Result, Failure>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws(Failure) -> Result) {
      self.body = body
    }

    func run() {
      do throws(Failure) { result = .success(try body!()) } catch { result = .failure(error) }
      // The values that the body uses exist only while the other thread waits.
      body = nil
      isDone.signal()
    }

    func wait() -> Swift.Result<Result, Failure> {
      isDone.wait()
      return result!
    }
  }
}
