public import Arbor
internal import ArborEntities

/// Counts how often a cache has an answer, and measures how long its fetches take.
///
/// ```swift
/// let metrics = RequestMetrics(\AppState.requests) { (action: AppAction) in action.requests }
/// let factory = StoreFactory(
///   initialState: AppState(),
///   settings: TreeSettings(monitors: [metrics]),
///   reducer: appReducer
/// )
/// print(metrics.report)
/// ```
///
/// ```text
/// album: hits 40, misses 12, shared 5, failed 1; fetches 11, median 0.083 seconds, longest 0.41 seconds
/// ```
///
/// - Use one for each tree. You can read it from any thread.
/// - **Cost.** A step with an action of the cache copies the parts of the state that it changes. Other actions only take
///   the time to see that they aren't the cache's.
public final class RequestMetrics<State: Sendable, Action: Sendable>: StoreMonitor {
  private let path: any KeyPath<State, Requests> & Sendable
  private let extract: @Sendable (Action) -> RequestAction?
  private let content = Protected(RequestCounting())

  /// Makes a monitor of the cache in the root's state.
  ///
  /// - Parameters:
  ///   - path: The path of the cache.
  ///   - extract: Returns the cache's action in an action of the root; nil for any other action.
  public init(
    _ path: any KeyPath<State, Requests> & Sendable,
    extract: @escaping @Sendable (_ action: Action) -> RequestAction?
  ) {
    self.path = path
    self.extract = extract
  }

  /// The counts so far.
  public var report: RequestReport { content.withLock { $0.report } }

  /// Wants the states of the cache's actions.
  ///
  /// - Parameter action: The action.
  public func wantsStates(of action: borrowing MonitoredAction) -> Bool { request(in: action) != nil }

  /// Counts an action of the cache.
  ///
  /// - Parameter record: The record of the action, after its step.
  public func monitor(_ record: borrowing ActionRecord) {
    guard let action = request(in: record.action), let root = record.states.last,
      let before = root.before as? State, let after = root.after as? State
    else { return }
    let (old, new) = (before[keyPath: path], after[keyPath: path])
    let time = record.times?.accepted ?? .zero
    content.withLock { content in
      content.count(action, old, new)
      content.measure(action, old, new, at: time)
    }
  }

  private func request(in action: borrowing MonitoredAction) -> RequestAction? {
    action.value(as: RequestAction.self) ?? action.value(as: Action.self).flatMap(extract)
  }
}

/// The counts of a ``RequestMetrics``, and the fetches that it measures.
private struct RequestCounting: Sendable {
  var report = RequestReport()

  /// The times at which the fetches in progress began.
  private var beginnings: [Requests.Fetch.ID: Duration] = [:]

  /// Counts an observer that came.
  mutating func count(_ action: RequestAction, _ old: Requests, _ new: Requests) {
    guard case .observed(let number, let id?, _) = action, old.observers[number]?.current != id,
      let entry = new.entries[id]
    else { return }
    var counts = report.requests[id.name] ?? .init()
    if entry.isWaiting || entry.fetch != old.entries[id]?.fetch {
      counts.misses += 1
    } else if entry.fetch == nil {
      counts.hits += 1
    } else {
      counts.shared += 1
    }
    report.requests[id.name] = counts
  }

  /// Measures the fetches that began, and the one that ended.
  mutating func measure(_ action: RequestAction, _ old: Requests, _ new: Requests, at time: Duration) {
    for fetch in new.fetches.reversed().prefix(while: { $0.id.number > old.lastFetch }) { beginnings[fetch.id] = time }
    switch action {
    case .answered(let number, let id, _, _), .failed(let number, let id, _, _):
      guard let fetch = old.fetch(number, of: id), new.fetch(number, of: id) == nil,
        let beginning = beginnings.removeValue(forKey: fetch.id)
      else { return }
      if case .failed = action {
        report.requests[id.name, default: .init()].failures += 1
      } else {
        report.requests[id.name, default: .init()].durations.add(time - beginning)
      }
    default:
      // The times of canceled fetches are removed from time to time.
      guard beginnings.count > 2 * new.fetches.count + 16 else { return }
      beginnings = beginnings.filter { new.fetches.contains(id: $0.key) }
    }
  }
}
