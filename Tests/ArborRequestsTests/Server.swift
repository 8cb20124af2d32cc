import ArborRequests
import Synchronization
import TestSupport

/// A server that answers when a test says so, in any order.
final class Server: Sendable {
  struct Refusal: Error, Equatable {}

  private struct Call {
    let number: Int
    let name: String
    let continuation: CheckedContinuation<Int, any Error>
  }

  private let calls = Mutex<(last: Int, open: [Call], canceled: Set<Int>)>((0, [], []))

  /// The names of all calls, in order.
  let log = RecordedValues<String>()

  /// The names of the calls that wait for an answer.
  var open: [String] { calls.withLock { $0.open.map(\.name) } }

  /// Calls the server, and waits for its answer.
  func call(_ name: String) async throws -> Int {
    log.append(name)
    let number = calls.withLock { calls in
      calls.last += 1
      return calls.last
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isCanceled = calls.withLock { calls in
          if calls.canceled.contains(number) { return true }
          calls.open.append(Call(number: number, name: name, continuation: continuation))
          return false
        }
        if isCanceled { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let call = calls.withLock { calls in
        calls.canceled.insert(number)
        return calls.open.firstIndex { $0.number == number }.map { calls.open.remove(at: $0) }
      }
      call?.continuation.resume(throwing: CancellationError())
    }
  }

  /// Answers the first open call with a name.
  func answer(_ name: String, _ value: Int) {
    take(name)?.resume(returning: value)
  }

  /// Fails the first open call with a name.
  func fail(_ name: String) {
    take(name)?.resume(throwing: Refusal())
  }

  private func take(_ name: String) -> CheckedContinuation<Int, any Error>? {
    calls.withLock { calls in
      calls.open.firstIndex { $0.name == name }.map { calls.open.remove(at: $0).continuation }
    }
  }
}
