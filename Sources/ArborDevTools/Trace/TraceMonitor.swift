public import Arbor
public import Foundation

/// Writes the activity of a tree of stores as a trace for Perfetto and Chrome.
///
/// ```swift
/// let trace = try TraceMonitor(writingTo: URL(filePath: "app.trace.json"))
/// let factory = StoreFactory(
///   initialState: AppState(),
///   settings: TreeSettings(monitors: [trace]),
///   reducer: appReducer
/// )
/// ```
///
/// Open the file at `ui.perfetto.dev`, or in `chrome://tracing`.
///
/// - **Contents.** Each tree is a process with one thread. Each step of an action is a slice there, with inner slices for
///   the parts that took time: interceptors, reducers, effects, observers. The action's wait is one of its arguments.
///   Tasks are asynchronous slices, and activities are instants. Arrows lead from an action to each action that it
///   caused, and a counter shows the number of waiting actions.
/// - **Order and thread.** Events are written in the order they arrive, with a delay of at most a tenth of a second. The
///   monitor calls the sink on its own queue.
/// - **Privacy.** The trace has only the names of actions and activities and the keys of tasks, but the full text of
///   errors. `Confidential` values are hidden in keys and errors.
/// - **Memory.** `maximumWaiting` limits how many events may wait to be written. At the limit, new events are dropped,
///   and an instant shows their number. An arrow is only drawn if its first action is one of the last 10,000.
/// - **Cost.** On the store's queue, it copies the action, its times and its cause.
/// - The format is the Trace Event Format. Times are microseconds with three decimals. A truncated file can still be
///   read.
public final class TraceMonitor: StoreMonitor {
  private let queue = SinkQueue(label: "Arbor.TraceMonitor")
  private let backlog: Protected<TraceBacklog>
  private let write: @Sendable (String) -> Void

  /// Only used on the queue.
  @exclusivity(unchecked) private nonisolated(unsafe) var writer: TraceWriter

  /// Makes a monitor that writes to a sink.
  ///
  /// - Parameters:
  ///   - name: Returns the name of an action's slice, or of an activity. Called on the monitor's queue.
  ///   - maximumWaiting: The maximum number of events that wait to be written; less than 1 counts as 1.
  ///   - write: The sink, which is called with each piece of the text, in order.
  public init(
    name: @escaping @Sendable (_ action: any Sendable) -> String = TraceMonitor.name,
    maximumWaiting: Int = 100_000,
    to write: @escaping @Sendable (_ piece: String) -> Void
  ) {
    backlog = Protected(TraceBacklog(limit: maximumWaiting))
    writer = TraceWriter(name: name)
    self.write = write
  }

  /// Makes a monitor that writes to a file.
  ///
  /// - Parameters:
  ///   - file: The file. Only its owner can read and write a new file. An existing file is emptied. A link isn't
  ///     followed.
  ///   - name: Returns the name of an action's slice, or of an activity. Called on the monitor's queue.
  /// - Throws: ``RecordingFileError/system(_:)`` if the file can't be created or opened, or is a folder, a link or a
  ///   device.
  public convenience init(
    writingTo file: URL,
    name: @escaping @Sendable (_ action: any Sendable) -> String = TraceMonitor.name
  ) throws {
    let handle = try PrivateFile.empty(file.path)
    self.init(name: name) { piece in
      // A full disk is no reason to stop the program.
      try? handle.write(contentsOf: Data(piece.utf8))
    }
  }

  /// Returns the name of an action: its enum case, or otherwise its type.
  ///
  /// - Parameter action: The action, or an activity.
  @Sendable
  public static func name(_ action: any Sendable) -> String {
    caseName(of: action) ?? "\(type(of: action))"
  }

  /// Waits until everything that was monitored before the call is written.
  ///
  /// - You can call it from any thread, but not in the sink: there it would wait for itself, so it stops the program. Two
  ///   sinks must not wait for each other either; Arbor doesn't detect that deadlock.
  public func flush() {
    queue.flush { writeBacklog() }
  }

  /// `true`, because the arrows show causes.
  public var wantsCauses: Bool { true }

  /// Writes an action.
  ///
  /// - Parameter record: The record of the action, after its step.
  public func monitor(_ record: borrowing ActionRecord) {
    guard let times = record.nanoseconds else { return }
    enter(.action(TracedAction(record, times)))
  }

  /// Writes an event.
  ///
  /// - Parameters:
  ///   - event: The event. Observer events are ignored.
  ///   - time: The time of the event since the tree was made, on the tree's clock.
  public func monitor(_ event: StoreEvent, at time: Duration) {
    enter(.event(event, at: time))
  }

  private func enter(_ entry: TraceEntry) {
    switch backlog.withLock({ $0.enter(entry) }) {
    case nil: break
    case .soon: queue.async(afterMilliseconds: 100) { [self] in writeBacklog() }
    case .now: queue.async { [self] in writeBacklog() }
    }
  }

  private func writeBacklog() {
    let (portions, dropped) = backlog.withLock { $0.take() }
    guard !portions.isEmpty else { return }
    for entry in portions.joined() {
      writer.add(entry)
      if writer.hasPiece { write(writer.takeText()) }
    }
    if dropped > 0 { writer.addGap(dropped) }
    write(writer.takeText())
  }
}

/// An action or an event that is written to a trace.
enum TraceEntry: Sendable {
  case action(TracedAction)
  case event(StoreEvent, at: Duration)
}

/// The parts of an action's record that a trace needs.
struct TracedAction: Sendable {
  let action: any Sendable
  let number: UInt64
  let cause: ActionCause
  let store: MonitoredStore
  let outcome: ActionOutcome
  let times: ActionNanoseconds
  let waiting: Int

  init(_ record: borrowing ActionRecord, _ times: ActionNanoseconds) {
    action = record.action.value
    number = record.number
    cause = record.cause
    store = record.action.store
    outcome = record.outcome
    waiting = record.waiting
    self.times = times
  }
}

extension ActionNanoseconds {
  // A custom clock may return any time, so the additions must not trap.

  /// The time at which the step began.
  var begun: Int64 { accepted &+ waited }

  /// The time that the step took.
  var duration: Int64 { intercepted &+ reduced &+ performed &+ delivered }
}

/// The entries that wait to be written, in portions, so that the first ones don't move when more arrive.
struct TraceBacklog: Sendable {
  /// The time at which the writer must be called.
  enum Call: Sendable {
    /// Soon; entries that arrive until then are written together with this one.
    case soon
    case now
  }

  /// The number of entries that are written without delay.
  private static let portion = 512

  private let limit: Int
  private var fullPortions: [[TraceEntry]] = []
  private var entries: [TraceEntry] = []
  private var dropped = 0

  private var count: Int { fullPortions.count * Self.portion + entries.count }

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds an entry, or drops it if too many wait. Returns when the writer must be called; nil if it needs no call.
  mutating func enter(_ entry: TraceEntry) -> Call? {
    guard count < limit else {
      dropped += 1
      return nil
    }
    if entries.isEmpty { entries.reserveCapacity(Self.portion) }
    entries.append(entry)
    guard entries.count == Self.portion else { return count == 1 ? .soon : nil }
    fullPortions.append(entries)
    entries = []
    return .now
  }

  /// Removes and returns the entries, with the number of entries that were dropped after them.
  mutating func take() -> (portions: [[TraceEntry]], dropped: Int) {
    defer { (fullPortions, entries, dropped) = ([], [], 0) }
    return (entries.isEmpty ? fullPortions : fullPortions + [entries], dropped)
  }
}

/// Returns the name of an enum value's case; nil for any other value, and in a program built without the names of its
/// cases.
///
/// - The standard library prints enums with this function of the Swift runtime. A mirror gives the same name but takes
///   four times as long, because it also copies the case's values.
func caseName(of value: any Sendable) -> String? {
  func name<Value>(of value: Value) -> String? { enumCaseName(value).map { String(cString: $0) } }
  return name(of: value)
}

// Declared in `stdlib/public/runtime/ReflectionMirror.cpp` of the Swift sources, and called like this in the standard
// library's `ReflectionMirror.swift`.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
