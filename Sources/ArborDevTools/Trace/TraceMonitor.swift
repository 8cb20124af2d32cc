public import Arbor
public import Foundation

/// Writes down when a tree of stores does what, as a trace for Perfetto and for Chrome.
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
/// - **What it shows.** Each tree is a process. On its thread is a slice for each step of an action, and in it one for each
///   part that took time: interceptors, reducers, effects, observers. How long the action has waited is among its
///   arguments. Tasks are asynchronous slices, activities instants, causes arrows from one action to the next, and the
///   number of those that wait is a counter.
/// - **Order and thread.** Events are written in the order in which they come, a tenth of a second later at most, by a queue
///   of the monitor's own, which calls the sink.
/// - **Privacy.** Of an action or an activity only its name is written, of a task its key, of an error all that it says. Types
///   whose values are not to leave the process can be named.
/// - **Memory.** As many events may wait to be written as ``init(name:maximumWaiting:to:)`` says. What comes then is
///   dropped, and an instant says how many were. An arrow needs the action where it begins to be one of the last 10,000.
/// - **Cost.** What it keeps of an action on the store's queue is a copy of the action, its times and its cause.
/// - The format is the Trace Event Format; times are microseconds with three decimals. A file that ends early can be read.
public final class TraceMonitor: StoreMonitor {
  private let queue = SinkQueue(label: "Arbor.TraceMonitor")
  private let backlog: Protected<TraceBacklog>
  private let write: @Sendable (String) -> Void

  /// Used on the queue only.
  @exclusivity(unchecked) private nonisolated(unsafe) var writer: TraceWriter

  /// Makes a monitor that writes to a sink.
  ///
  /// - Parameters:
  ///   - name: The name of an action's slice, or of an activity. Called on the monitor's queue.
  ///   - maximumWaiting: The greatest number of events that wait to be written; less than 1 counts as 1.
  ///   - write: The sink, which is called with the next piece of the text; the pieces follow each other.
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
  ///   - file: The file, which is made, with rights for its owner alone, or emptied if there is one. A link is not followed.
  ///   - name: The name of an action's slice, or of an activity. Called on the monitor's queue.
  /// - Throws: ``RecordingFileError/system(_:)`` if the file cannot be made or opened, or is a folder, a link or a device.
  public convenience init(
    writingTo file: URL,
    name: @escaping @Sendable (_ action: any Sendable) -> String = TraceMonitor.name
  ) throws {
    let handle = try PrivateFile.empty(file.path)
    self.init(name: name) { piece in
      // A disk that is full is no reason to stop.
      try? handle.write(contentsOf: Data(piece.utf8))
    }
  }

  /// The name of an action: that of the enum's case, or the type's.
  ///
  /// - Parameter action: The action, or an activity.
  @Sendable
  public static func name(_ action: any Sendable) -> String {
    caseName(of: action) ?? "\(type(of: action))"
  }

  /// Returns once everything was written that has been monitored before.
  ///
  /// - From any thread, but not in the sink: there it would wait for itself, and stops the program. Two sinks must not
  ///   wait for each other either, which nothing notices.
  public func flush() {
    queue.flush { writeBacklog() }
  }

  /// For the arrows.
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
  ///   - event: The event. Those of observers are ignored.
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

/// An action or an event that is to be written to a trace.
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
  // A clock of somebody's own may say anything.

  /// The time at which the step began.
  var begun: Int64 { accepted &+ waited }

  /// The time that the step took.
  var duration: Int64 { intercepted &+ reduced &+ performed &+ delivered }
}

/// The entries that wait to be written, in portions, so that the first are not moved when more come.
struct TraceBacklog: Sendable {
  /// The moment at which the writer is to be called.
  enum Call: Sendable {
    /// Soon: others may come, and are written with it.
    case soon
    case now
  }

  /// The number of entries that are enough to be written at once.
  private static let portion = 512

  private let limit: Int
  private var fullPortions: [[TraceEntry]] = []
  private var entries: [TraceEntry] = []
  private var dropped = 0

  private var count: Int { fullPortions.count * Self.portion + entries.count }

  init(limit: Int) {
    self.limit = max(limit, 1)
  }

  /// Adds an entry, or drops it if too many wait. Returns when the writer must be called; nil if it was called already.
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

  /// Takes out the entries, and how many were dropped behind them.
  mutating func take() -> (portions: [[TraceEntry]], dropped: Int) {
    defer { (fullPortions, entries, dropped) = ([], [], 0) }
    return (entries.isEmpty ? fullPortions : fullPortions + [entries], dropped)
  }
}

/// Returns the name of the case that a value of an enum is; nil for any other value, and where a program was built without
/// the names of its cases.
///
/// - The standard library prints enums by this function of Swift's runtime. A mirror gives the same name and takes four times
///   as long, because it also copies the case's values.
func caseName(of value: any Sendable) -> String? {
  func name<Value>(of value: Value) -> String? { enumCaseName(value).map { String(cString: $0) } }
  return name(of: value)
}

// `stdlib/public/runtime/ReflectionMirror.cpp` of Swift's sources declares it, and `ReflectionMirror.swift` in the standard
// library calls it so.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
