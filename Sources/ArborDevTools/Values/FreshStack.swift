internal import Foundation

/// Stacks for work that is called again and again inside of itself.
///
/// - Work on such a stack does not see the task-local values of the task that waits for it.
enum FreshStack {
  /// After so many levels of a value the next ones get a stack of their own. So many fit into the smallest stacks, which are of
  /// half a megabyte.
  private static let levels = 64

  /// Does the work of a level, on a thread of its own if those before have used their stack.
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
