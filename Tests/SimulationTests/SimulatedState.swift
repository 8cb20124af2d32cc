import Arbor
import ArborEntities

/// The state of the simulated stores: a digest, and what only a node's own state has.
struct SimulatedState: Sendable {
  var digest: Digest

  /// Work that is a function of a node's own state.
  var job = JobState()

  /// What features are scoped to, of a node's own state.
  var parts: SimulatedParts

  /// The records of the root.
  private(set) var table: EntityTable<TableRow>

  /// Of a node's own state: gone with it.
  private let token: EngineToken?

  init(
    _ digest: Digest,
    parts: SimulatedParts = .none,
    table: EntityTable<TableRow> = TableRow.firstTable,
    token: EngineToken? = nil
  ) {
    self.digest = digest
    self.parts = parts
    self.table = table
    self.token = token
  }

  /// What may be kept of the state.
  var withoutToken: SimulatedState { SimulatedState(digest, table: table) }

  /// What a scope shows of the state; nil if it has nothing to show.
  func projected(by projection: Projection) -> SimulatedState? {
    projection.apply(to: digest).map { SimulatedState($0, table: table) }
  }

  /// The state of a child store below this one.
  func composed(with local: SimulatedState) -> SimulatedState {
    SimulatedState(digest.composed(with: local.digest), table: table)
  }

  /// The reducer of a root's table.
  mutating func change(_ verb: TableVerb) {
    table.change(verb)
  }

  mutating func change(_ verb: JobVerb) {
    switch verb {
    case .run(let maxAttempts, let delay): job.run(maxAttempts: maxAttempts, backoff: .constant(.seconds(delay)))
    case .restart: job.restart()
    case .retry: job.retryOrFail("")
    case .succeed: job.succeed()
    case .fail: job.fail("")
    case .cancel: job.cancel()
    case .reset: job.reset()
    }
  }

  /// A part that changes with every second action.
  var half: Int { Int(digest.count / 2) }

  /// A part that is computed, and to which a feature is scoped.
  var always: PartState {
    get { parts.always }
    set { parts.always = newValue }
  }

  /// A part that is computed and always there.
  var itself: SimulatedState {
    get { self }
    set { self = newValue }
  }

  /// A part that is there at times.
  var whenEven: SimulatedState? {
    get { digest.count.isMultiple(of: 2) ? self : nil }
    set { if let newValue { self = newValue } }
  }
}
