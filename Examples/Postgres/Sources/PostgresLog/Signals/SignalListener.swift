internal import ArborSync
internal import Dispatch
internal import Foundation

/// The streams of a log's listeners, and the connection that receives its hints.
///
/// - There is a connection while there are listeners. It blocks no thread. If it is lost, another one is opened after a growing
///   and partly random delay, so that not all clients of a server reconnect at once.
/// - Hints without a connection are lost, so each stream receives ``LogSignal/appended`` whenever a connection is opened.
/// - If there is no log yet, or the server refuses the connection, it waits until a call has found the log.
final class SignalListener: @unchecked Sendable {
  // Sendable because everything is constant and sendable except the variables, which are used only on the queue.

  private typealias Continuation = AsyncStream<LogSignal>.Continuation

  /// The number of signals that wait for a slow listener. The oldest ones are dropped, which is allowed for hints.
  private static let buffer = 256

  private let settings: ConnectionSettings
  private let name: String
  private let queue = DispatchQueue(label: "arbor.postgres-log.signals")
  private var streams: [UUID: Continuation] = [:]
  private var connection: ListeningConnection?

  /// The number of failures since the last connection.
  private var failures = 0

  /// The number of attempts. A timer compares it, so that an outdated one does nothing.
  private var attempts = 0

  /// - Parameter name: The name of the log, in a form that the database accepts.
  init(_ settings: ConnectionSettings, name: String) {
    self.settings = settings
    self.name = name
  }

  deinit {
    for stream in streams.values { stream.finish() }
  }

  /// Returns a new stream of the signals from now on. It ends with this object.
  func stream() -> AsyncStream<LogSignal> {
    let (stream, continuation) = AsyncStream<LogSignal>.makeStream(bufferingPolicy: .bufferingNewest(Self.buffer))
    let id = UUID()
    queue.async { self.add(continuation, id) }
    continuation.onTermination = { [weak self] _ in
      guard let self else { return }
      queue.async { self.remove(id) }
    }
    return stream
  }

  /// Notes that a call has found the log.
  func found(_ log: UUID) {
    queue.async {
      guard !self.streams.isEmpty, self.connection?.channel.log != log else { return }
      self.failures = 0
      self.open()
    }
  }

  // MARK: On the queue

  private func add(_ stream: Continuation, _ id: UUID) {
    streams[id] = stream
    if connection != nil {
      stream.yield(.appended)
    } else if streams.count == 1 {
      failures = 0
      open()
    }
  }

  private func remove(_ id: UUID) {
    streams[id] = nil
    if streams.isEmpty { connection = nil }
  }

  private func open() {
    connection = nil
    attempts += 1
    do throws(PostgresError) {
      connection = try ListeningConnection(settings, name: name, on: queue) { [weak self] in self?.read() }
    } catch {
      if case .unreachable = LogError(error) { openLater() }
      return
    }
    guard connection != nil else { return }
    failures = 0
    tell(.appended)
    // Some notifications may have arrived with the answer. After that, the descriptor doesn't become readable for them.
    read()
  }

  private func openLater() {
    failures += 1
    let attempt = attempts
    let delay = min(0.1 * pow(2, Double(failures - 1)), 10) * .random(in: 0.5...1)
    queue.asyncAfter(deadline: .now() + delay) { [weak self] in
      guard let self, attempts == attempt, connection == nil, !streams.isEmpty else { return }
      open()
    }
  }

  private func read() {
    // A canceled source may already have been about to call.
    guard let connection else { return }
    do throws(PostgresError) {
      for signal in try connection.signals() { tell(signal) }
    } catch {
      self.connection = nil
      openLater()
    }
  }

  private func tell(_ signal: LogSignal) {
    for stream in streams.values { stream.yield(signal) }
  }
}
