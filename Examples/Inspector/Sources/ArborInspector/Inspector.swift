public import ArborDevTools
internal import FlyingSocks

/// A server on this machine, with a page that shows a running program in a browser.
///
/// ```swift
/// let recorder = Recorder<AppState, AppAction>()
/// let factory = StoreFactory(
///   initialState: AppState(),
///   settings: TreeSettings(monitors: [recorder]),
///   reducer: appReducer
/// )
/// let inspector = try await Inspector(recorder, dispatch: factory.dispatch)
/// print(inspector.address)
/// ```
///
/// - **Access.** It listens only on 127.0.0.1. The address contains a secret, which is different each time; without it,
///   every answer is the same. Requests by another name of the machine are refused, and so are commands and events for
///   another page.
/// - **Confidentiality.** The page shows only content that the redaction rules leave.
/// - **Slow browsers** receive fewer events, and a note about it. The store waits for no browser.
/// - **Connections** are bounded: 64 at once, each up to a minute without a request. When the process has no
///   descriptors left, the inspector keeps its port and answers again as soon as some are free.
/// - It serves until ``stop()``, or until it is released. ``ended()`` waits for that, or for a failure.
public final class Inspector: Sendable {
  /// The address of the page, including the secret.
  public let address: String

  let server: Server
  private let site: Site
  private let running: Task<InspectorEnd, Never>

  /// Begins to serve the recording of a recorder.
  ///
  /// - Parameters:
  ///   - name: The name of the program.
  ///   - redactions: The rules for content that no browser may show.
  ///   - port: The port; 0 for any free port.
  ///   - entryLimit: The maximum number of entries that a browser receives at once.
  ///   - dispatch: Dispatches an action that a browser sends as JSON; nil if this is not allowed.
  /// - Throws: ``InspectorError`` if it cannot listen, such as on a port that another program uses.
  public convenience init<State: Sendable, Action: Sendable>(
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
    try await self.init(live, port: port, limits: Limits())
  }

  init<State, Action>(_ live: LiveRecording<State, Action>, port: UInt16, limits: Limits) async throws(InspectorError) {
    let server = try await Server(port: port, limits: limits)
    let rules = AccessRules(token: AccessToken(), port: server.port)
    let site = Site(LiveProgram(live), rules: rules)
    address = "http://127.0.0.1:\(server.port)/\(rules.token.text)/"
    self.server = server
    self.site = site
    running = Task {
      do throws(InspectorError) {
        try await server.run(site)
        return .stopped
      } catch {
        return .failed(error)
      }
    }
  }

  deinit {
    running.cancel()
  }

  /// The number of browsers that show the program.
  public var browserCount: Int { site.browserCount }

  /// Ends all connections, and frees the port.
  public func stop() async {
    running.cancel()
    _ = await running.value
  }

  /// Waits until the inspector stops serving.
  ///
  /// - The inspector isn't released while this waits.
  ///
  /// - Returns: The reason; nil if the calling task was canceled first.
  public func ended() async -> InspectorEnd? {
    let (ends, continuation) = AsyncStream<InspectorEnd>.makeStream()
    let running = running
    let waiting = Task {
      continuation.yield(await running.value)
      continuation.finish()
    }
    defer { waiting.cancel() }
    return await ends.first { _ in true }
  }
}

/// The reason why an ``Inspector`` stopped serving.
public enum InspectorEnd: Sendable {
  /// The program called ``Inspector/stop()``.
  case stopped

  /// The inspector could not continue, and has freed its port.
  case failed(InspectorError)
}

/// The reason why an ``Inspector`` cannot listen on its port.
public struct InspectorError: Error, CustomStringConvertible {
  /// The requested port; 0 for any.
  public let port: UInt16

  /// The system's reason.
  public let reason: String

  /// A sentence that says what failed, and why.
  public var description: String {
    let place = port == 0 ? "127.0.0.1" : "127.0.0.1:\(port)"
    return "the inspector cannot listen on \(place): \(reason)"
  }

  init(port: UInt16, _ error: any Error) {
    self.port = port
    reason = if case SocketError.failed(_, _, let message) = error { message } else { "\(error)" }
  }
}
