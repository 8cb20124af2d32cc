import Synchronization

/// A server whose calls the simulation answers, in any order.
final class SimulatedServer: Sendable {
  /// The reason for a call.
  enum Target: Hashable, Sendable {
    case fetch(EntryID, cursor: Int)
    case send(Int)
  }

  struct Refusal: Error {}

  private struct Call {
    let number: Int
    let target: Target
    var isCanceled = false

    /// Continues the caller. Nil ends a stream.
    let reply: @Sendable (Result<Int, any Error>?) -> Void
  }

  private let calls = Mutex<(last: Int, open: [Call])>((0, []))

  /// The targets of the open calls, in the order they were made.
  var open: [Target] { calls.withLock { $0.open.filter { !$0.isCanceled }.map(\.target) } }

  /// The targets of the canceled calls that wait for their late answer.
  var late: [Target] { calls.withLock { $0.open.filter(\.isCanceled).map(\.target) } }

  /// Calls the server, and waits for its answer.
  func call(_ target: Target, heedsCancellation: Bool) async throws -> Int {
    let number = nextNumber()
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        add(Call(number: number, target: target) { continuation.resume(with: $0!) })
        if Task.isCancelled { cancel(number, isForgotten: heedsCancellation) }
      }
    } onCancel: {
      cancel(number, isForgotten: heedsCancellation)
    }
  }

  /// Begins a stream of answers.
  func stream(_ target: Target) -> AsyncThrowingStream<Int, any Error> {
    let number = nextNumber()
    return AsyncThrowingStream { stream in
      let call = Call(number: number, target: target) { result in
        switch result {
        case .success(let value): stream.yield(value)
        case .failure(let error): stream.finish(throwing: error)
        case nil: stream.finish()
        }
      }
      stream.onTermination = { [self] _ in cancel(number, isForgotten: true) }
      add(call)
    }
  }

  /// Answers the open call of a fetch.
  func reply(to id: EntryID, with result: Result<Int, any Error>?) {
    guard let target = open.first(where: { if case .fetch(id, _) = $0 { true } else { false } }) else { return }
    reply(to: target, with: result)
  }

  /// Answers the first open or late call of a target. A stream stays open until it fails or ends.
  func reply(to target: Target, late: Bool = false, with result: Result<Int, any Error>?) {
    let call: Call? = calls.withLock { calls in
      guard let index = calls.open.firstIndex(where: { $0.target == target && $0.isCanceled == late }) else {
        return nil
      }
      if case .fetch(let id, _) = target, id.request.policy.isStream, case .success = result {
        return calls.open[index]
      }
      return calls.open.remove(at: index)
    }
    call?.reply(result)
  }

  private func nextNumber() -> Int {
    calls.withLock { calls in
      calls.last += 1
      return calls.last
    }
  }

  private func add(_ call: Call) {
    calls.withLock { $0.open.append(call) }
  }

  private func cancel(_ number: Int, isForgotten: Bool) {
    let call: Call? = calls.withLock { calls in
      guard let index = calls.open.firstIndex(where: { $0.number == number }) else { return nil }
      calls.open[index].isCanceled = true
      return isForgotten ? calls.open.remove(at: index) : nil
    }
    call?.reply(.failure(CancellationError()))
  }
}
