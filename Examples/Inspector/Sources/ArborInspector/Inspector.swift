public import ArborDevTools
internal import FlyingFox
internal import FlyingSocks
internal import Foundation

/// A server on this machine, with a page on which a browser looks at a program while it runs.
///
/// ```swift
/// let recorder = Recorder<AppState, AppAction>()
/// let factory = StoreFactory(initialState: AppState(), monitors: [recorder], reducer: appReducer)
/// let inspector = try await Inspector(recorder, dispatch: factory.dispatch)
/// print(inspector.address)
/// ```
///
/// - **Who gets in.** It listens on 127.0.0.1 alone. The address has a secret in it, which is another one each time:
///   without it, every answer is the same. Requests that come by another name of the machine, and commands and events
///   that another page asks for, are refused.
/// - **What gets out** is what the rules of redaction leave.
/// - **Slow browsers** get less, and are told so. The store waits for none.
/// - It serves until ``stop()``, or until it is released.
public final class Inspector: Sendable {
  /// The address of the page, with the secret in it.
  public let address: String

  private let server: HTTPServer
  private let site: Site
  private let running: Task<Void, Never>

  /// Begins to serve what a recorder records.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - redactions: The rules for what no browser is shown.
  ///   - port: The port; 0 for any that is free.
  ///   - entryLimit: The greatest number of entries that a browser is sent at once.
  ///   - dispatch: Dispatches an action that is written in a browser as JSON; nil if none may be.
  /// - Throws: ``InspectorError`` if it cannot listen, such as on a port that another program has.
  public init<State: Sendable, Action: Sendable>(
    _ recorder: Recorder<State, Action>,
    named name: String = "\(State.self)",
    redacting redactions: [Redaction<State, Action>] = [],
    port: UInt16 = 0,
    entryLimit: Int = 2000,
    dispatch: (@Sendable (_ action: Action) -> Void)? = nil
  ) async throws(InspectorError) {
    let live = LiveRecording(
      recorder,
      named: name,
      redacting: redactions,
      entryLimit: entryLimit,
      dispatch: dispatch
    )
    site = Site(LiveProgram(live), token: AccessToken())
    do {
      server = HTTPServer(
        address: try .inet(ip4: "127.0.0.1", port: port),
        logger: .disabled,
        handler: site
      )
      running = try await Inspector.run(server)
    } catch {
      throw InspectorError(port: port, reason: Inspector.reason(of: error))
    }
    guard case .ip4(_, let port)? = await server.listeningAddress else {
      running.cancel()
      throw InspectorError(port: port, reason: "it has no address")
    }
    site.begin(onPort: port)
    address = "http://127.0.0.1:\(port)/\(site.token.text)/"
  }

  deinit {
    running.cancel()
  }

  /// The number of browsers that look at the program.
  public var browserCount: Int { site.browserCount }

  /// Ends all connections, and frees the port.
  public func stop() async {
    await server.stop()
    running.cancel()
    await running.value
  }

  private static func reason(of error: any Error) -> String {
    if case SocketError.failed(_, _, let message) = error { message } else { "\(error)" }
  }

  /// Runs a server. Returns once it listens.
  private static func run(_ server: HTTPServer) async throws -> Task<Void, Never> {
    let (events, continuation) = AsyncThrowingStream<Void, any Error>.makeStream()
    let running = Task {
      do {
        try await server.run()
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    let waiting = Task {
      try await server.waitUntilListening(timeout: 60)
      continuation.yield()
    }
    defer { waiting.cancel() }
    for try await _ in events { break }
    return running
  }
}

/// The reason why an ``Inspector`` cannot serve.
public struct InspectorError: Error, CustomStringConvertible {
  /// The port on which it was to listen; 0 for any.
  public let port: UInt16

  /// The system's reason.
  public let reason: String

  /// One sentence that says what failed, and why.
  public var description: String {
    let place = port == 0 ? "127.0.0.1" : "127.0.0.1:\(port)"
    return "the inspector cannot listen on \(place): \(reason)"
  }
}
