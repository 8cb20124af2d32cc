import Arbor
import ArborEntities

/// The state of the simulated stores: a digest, and content that only a node's own state has.
struct SimulatedState: Sendable {
  var digest: Digest

  /// Work that is a function of a node's own state.
  var job = JobState()

  /// The parts of a node's own state to which features are scoped.
  var parts: SimulatedParts

  /// The records of the root.
  private(set) var table: EntityTable<TableRow>

  /// The token of a node's own state, released with it.
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

  /// The state without its token, so that it can be kept.
  var withoutToken: SimulatedState { SimulatedState(digest, table: table) }

  /// The state of a scope; nil if the scope has none.
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

  /// A computed part to which a feature is scoped.
  var always: PartState {
    get { parts.always }
    set { parts.always = newValue }
  }

  /// A computed part that always exists.
  var itself: SimulatedState {
    get { self }
    set { self = newValue }
  }

  /// An optional part.
  var whenEven: SimulatedState? {
    get { digest.count.isMultiple(of: 2) ? self : nil }
    set { if let newValue { self = newValue } }
  }
}
