internal import Foundation

/// Stacks for work that is called again and again inside of itself.
enum FreshStack {
  /// After so many levels of a value the next ones get a stack of their own. So many fit into the smallest stacks, which are of
  /// half a megabyte.
  private static let levels = 64

  /// Does the work of a level, on a thread of its own if those before have used their stack.
  static func run<Result>(atLevel level: Int, _ body: () throws -> Result) throws -> Result {
    guard level > 0, level.isMultiple(of: levels) else { return try body() }
    return try withoutActuallyEscaping(body) { body in
      let work = Work(body)
      let thread = Thread { work.run() }
      thread.stackSize = 1 << 20
      thread.start()
      return try work.wait()
    }
  }

  /// Work that one thread does while another one waits.
  // Sound: the threads take turns, and the semaphore is between the turns.
  private final class Work<Result>: @unchecked Sendable {
    private var body: (() throws -> Result)?
    private var result: Swift.Result<Result, any Error>?
    private let isDone = DispatchSemaphore(value: 0)

    init(_ body: @escaping () throws -> Result) {
      self.body = body
    }

    func run() {
      result = Swift.Result { try body!() }
      // What the body uses is there only while the other thread waits.
      body = nil
      isDone.signal()
    }

    func wait() throws -> Result {
      isDone.wait()
      return try result!.get()
    }
  }
}
