import Arbor
import ArborDevTools

/// The monitors of the running program, according to the options.
struct Observation {
  private let log: LogMonitor?
  private let metrics: MetricsMonitor?

  init(_ options: Options) {
    log = options.isLogging ? LogMonitor(detail: .all) : nil
    metrics = options.isMeasuring ? MetricsMonitor(timingInterval: 1, keyOf: Observation.feature) : nil
  }

  /// The feature that an action belongs to.
  @Sendable
  private static func feature(of action: borrowing MonitoredAction) -> String? {
    // The editor is a child store with its own type of actions.
    if action.value(as: EditorAction.self) != nil { return "editor" }
    return action.value(as: AppAction.self)?.feature
  }

  var monitors: [any StoreMonitor] {
    let all: [(any StoreMonitor)?] = [log, metrics]
    return all.compactMap(\.self)
  }

  /// Writes the remaining output. Call it once, at the end.
  func finish() {
    log?.flush()
    if let metrics { Terminal.writeError("\(metrics)\n") }
  }
}

extension AppAction {
  fileprivate var feature: String {
    switch self {
    case .list: "list"
    case .filter: "filter"
    case .statistics: "statistics"
    case .importing: "import"
    case .editor: "editor"
    }
  }
}
