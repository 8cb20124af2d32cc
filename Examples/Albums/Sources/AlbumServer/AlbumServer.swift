public import Foundation
internal import Synchronization

/// A small HTTP server of albums on 127.0.0.1, for programs and tests that need no other machine.
///
///     GET /albums?from=CURSOR&limit=NUMBER   a page: items, next, previous
///     GET /albums/ID                         an album
///     PUT /albums/ID/favorite                true or false; the same `Idempotency-Key` again changes nothing
///
/// - Each connection has its own thread, and ends after one answer.
public final class AlbumServer: Sendable {
  /// The port on which it listens.
  public let port: UInt16

  /// The address of the server.
  public var url: URL { URL(string: "http://127.0.0.1:\(port)")! }

  private struct State {
    var database: AlbumDatabase
    var behaviorState = BehaviorState()
    var log: [String] = []
    var waiters: [(held: Int, continuation: CheckedContinuation<Void, Never>)] = []

    /// Removes the waiters that have waited long enough.
    mutating func takeDueWaiters() -> [CheckedContinuation<Void, Never>] {
      let held = behaviorState.isHolding ? behaviorState.gates.count : .max
      defer { waiters.removeAll { $0.held <= held } }
      return waiters.filter { $0.held <= held }.map(\.continuation)
    }
  }

  private let listener: Socket
  private let state: Mutex<State>

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - port: The port; 0 for any free port.
  ///   - file: The file that keeps the albums when the server ends; nil if a new server begins from the start.
  /// - Throws: An error if the port is in use, or if the file can't be read.
  public init(port: UInt16 = 0, file: URL? = nil) throws {
    state = Mutex(State(database: try AlbumDatabase(file: file)))
    (listener, self.port) = try Socket.listening(on: port)
    Thread.detachNewThread { [weak self, listener] in
      while let connection = listener.accept() {
        Thread.detachNewThread { [weak self] in
          defer { connection.close() }
          // An answer that is held doesn't keep the server.
          guard let request = HTTPRequest(from: connection), let answer = self?.answer(to: request) else { return }
          answer.send(to: connection)
        }
      }
      listener.close()
    }
  }

  deinit {
    listener.shutDown()
    for gate in state.withLock({ $0.behaviorState.takeGates() }) { gate.signal() }
  }

  /// The treatment of the next requests. Setting it releases the answers that were held.
  public var behavior: Behavior {
    get { state.withLock { $0.behaviorState.behavior } }
    set {
      let (gates, due) = state.withLock { state in
        state.behaviorState.behavior = newValue
        return (state.behaviorState.takeGates(), state.takeDueWaiters())
      }
      for gate in gates { gate.signal() }
      for continuation in due { continuation.resume() }
    }
  }

  /// The number of changes that were made. A repeated change isn't counted again.
  public var changeCount: Int { state.withLock { $0.database.applied.count } }

  /// Returns a line for each request that arrived since the last call, in order of arrival.
  public func takeLog() -> [String] {
    state.withLock { state in
      defer { state.log = [] }
      return state.log
    }
  }

  /// Waits until a number of answers is held, or until the server holds none any more.
  public func holds(_ count: Int) async {
    await withCheckedContinuation { continuation in
      let due = state.withLock { state in
        state.waiters.append((count, continuation))
        return state.takeDueWaiters()
      }
      for continuation in due { continuation.resume() }
    }
  }

  private func answer(to request: HTTPRequest) -> Answer {
    let (answer, due) = state.withLock { state in
      let treatment = state.behaviorState.treatment()
      let response = treatment.isFailure ? HTTPResponse(500, "\"out of order\"") : state.database.response(to: request)
      state.log.append("\(request.method) \(request.target): \(treatment.isDrop ? "no answer" : "\(response.status)")")
      return (Answer(treatment: treatment, response: response), state.takeDueWaiters())
    }
    for continuation in due { continuation.resume() }
    return answer
  }
}

/// A response, and the way it is sent.
private struct Answer {
  let treatment: BehaviorState.Treatment
  let response: HTTPResponse

  func send(to connection: Socket) {
    switch treatment {
    case .answer(let delay): Thread.sleep(forTimeInterval: Double(delay) / 1000)
    case .hold(let gate): gate.wait()
    case .fail, .open: break
    case .drop: return
    }
    connection.send(response.bytes)
    if case .open(let gate) = treatment { gate.signal() }
  }
}
