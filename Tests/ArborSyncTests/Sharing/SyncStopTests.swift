import Arbor
import ArborPersistence
import ArborSync
import Foundation
import SimulatedFiles
import TestSupport
import Testing

@Suite("Stops of shared stores")
struct SyncStopTests {
  private let log = MemoryLog()

  /// Returns the reason once a store has stopped.
  private func stop(of store: SharedLedger) async -> SyncStop? {
    for await status in store.status.states() {
      if let stop = status.stop { return stop }
    }
    return nil
  }

  /// Appends bytes to the log, as another program would.
  private func append(_ bytes: Data, version: Int = 1) async throws -> UUID {
    let other = LogClient("other")
    let found = try await log.connect(other, reducerVersion: 1)
    try await log.append(ActionBatch(of: other, first: 1, version: version, [bytes]), to: found.id)
    return found.id
  }

  @Test func `Y4 an action of an unknown version stops syncing, and the actions before it are confirmed`()
    async throws
  {
    let ann = try await client("Ann", of: log)
    try await ann.dispatchConfirmed(.add("milk"))
    _ = try await append(Data("{}".utf8), version: 2)
    #expect(await stop(of: ann) == .unknownVersion(2, position: 2))
    await ann.dispatchAndWait(.add("bread"))
    #expect(ann.state.entries == ["milk", "bread"])
    #expect(ann.confirmed.state.entries == ["milk"])
    #expect(ann.status.state.waiting == 1)
    await #expect(throws: ConfirmationError.stopped(.unknownVersion(2, position: 2))) {
      try await ann.dispatchConfirmed(.add("tea"))
    }
    #expect(ann.status.state.waiting == 2)
  }

  @Test func `Y4 stored actions that cannot be read are not in the confirmed state or its position`() async throws {
    let folder = SimulatedFolder()
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      for text in ["milk", "bread"] { try await ann.dispatchConfirmed(.add(text)) }
      try await ann.flush()
    }
    // There is no migration.
    let ann = try await SharedStore(
      initialState: Ledger(), feature: ledgerFeature(), log: log, client: "Ann",
      outbox: Storage(folder.afterKill(), durability: .full), form: SharedForm(actionVersion: 2))
    let status = ann.status.state
    #expect(ann.confirmed.state.entries == [])
    #expect(status.position == 0)
    #expect(status.behind == 2)
    guard case .unreadable(position: 1, _) = status.stop else {
      Issue.record("\(status)")
      return
    }
  }

  @Test func `Y1 a state stored in place of unreadable actions is read from the log again`() async throws {
    let folder = SimulatedFolder()
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      for text in ["milk", "bread"] { try await ann.dispatchConfirmed(.add(text)) }
      try await ann.flush()
    }
    func open(_ form: SharedForm<Ledger, LedgerAction>) async throws -> SharedLedger {
      try await SharedStore(
        initialState: Ledger(), feature: ledgerFeature(), log: log, client: "Ann",
        outbox: Storage(folder, durability: .full), form: form)
    }
    let states: [Migration] = [.from(1) { (old: Ledger) in old }]
    do {
      let ann = try await open(SharedForm(actionVersion: 2, stateVersion: 2, stateMigrations: states))
      #expect(ann.status.state.stop != nil)
      try await ann.flush()
    }
    let ann = try await open(
      SharedForm(
        actionVersion: 2, actionMigrations: [.from(1) { (old: LedgerAction) in old }], stateVersion: 2,
        stateMigrations: states))
    await ann.caughtUp(to: 2)
    #expect(ann.confirmed.state.entries == ["milk", "bread"])
  }

  @Test func `Y4 an updated program continues where an older one stopped`() async throws {
    let folder = SimulatedFolder()
    do {
      let ann = try await client("Ann", of: log, outbox: Storage(folder, durability: .full))
      try await ann.dispatchConfirmed(.add("milk"))
      _ = try await append(JSONEncoder().encode(LedgerAction.add("bread")), version: 2)
      #expect(await stop(of: ann) == .unknownVersion(2, position: 2))
      await ann.dispatchAndWait(.add("tea"))
      try await ann.flush()
    }
    let form = SharedForm<Ledger, LedgerAction>(
      actionVersion: 2, actionMigrations: [.from(1) { (old: LedgerAction) in old }])
    let ann = try await SharedStore(
      initialState: Ledger(), feature: ledgerFeature(), log: log, client: "Ann",
      outbox: Storage(folder.afterKill(), durability: .full), form: form)
    #expect(ann.state.entries == ["milk", "tea"])
    await ann.caughtUp(to: 3)
    #expect(ann.state.entries == ["milk", "bread", "tea"])
  }

  @Test func `Y4 an action that cannot be read stops syncing`() async throws {
    let ann = try await client("Ann", of: log)
    await ann.caughtUp(to: 0)
    _ = try await append(Data("nonsense".utf8))
    guard case .unreadable(position: 1, _) = await stop(of: ann) else {
      Issue.record("\(ann.status.state)")
      return
    }
  }

  @Test func `Y4 another log stops syncing, and nothing is erased`() async throws {
    let ann = try await client("Ann", of: log)
    try await ann.dispatchConfirmed(.add("milk"))
    log.replace()
    await ann.dispatchAndWait(.add("bread"))
    #expect(await stop(of: ann) == .anotherLog)
    #expect(ann.state.entries == ["milk", "bread"])
    #expect(ann.confirmed.state.entries == ["milk"])
  }

  @Test func `Y4 a log restored to an older state stops syncing`() async throws {
    let (logs, outbox) = (SimulatedFolder(), SimulatedFolder())
    let older: SimulatedFolder
    do {
      let ann = try await client(
        "Ann", of: FileLog(logs, .full), outbox: Storage(outbox, durability: .full))
      try await ann.dispatchConfirmed(.add("milk"))
      older = logs.afterKill()
      try await ann.dispatchConfirmed(.add("bread"))
      try await ann.flush()
    }
    let ann = try await client(
      "Ann", of: FileLog(older, .full), outbox: Storage(outbox.afterKill(), durability: .full))
    #expect(await stop(of: ann) == .olderLog(end: 1, read: 2))
    #expect(ann.state.entries == ["milk", "bread"])
  }

  @Test func `invalid settings are replaced by the nearest valid ones`() async throws {
    var settings = SyncSettings()
    (settings.batch, settings.snapshotInterval, settings.checksumInterval) = (0, -1, 0)
    let ann = try await client("Ann", of: log, settings: settings)
    try await ann.dispatchConfirmed(.add("milk"))
    try await ann.dispatchConfirmed(.add("bread"))
    #expect(ann.confirmed.state.entries == ["milk", "bread"])
  }

  @Test func `Y4 a client with another version of the reducer stops syncing`() async throws {
    _ = try await log.connect(LogClient("other"), reducerVersion: 7)
    let ann = try await client("Ann", of: log)
    #expect(await stop(of: ann) == .otherReducer(log: 7, own: 1))
  }

  @Test func `Y1 Y4 clients whose reducers differ notice it`() async throws {
    var settings = SyncSettings()
    settings.checksumInterval = 2
    let wrong = Feature<Ledger, LedgerAction> { state, _ in state.total += 2 }
    let ann = try await client("Ann", of: log, settings: settings)
    let ben = try await client("Ben", of: log, settings: settings, feature: wrong)
    await ann.caughtUp(to: 0)
    await ben.caughtUp(to: 0)
    await ann.dispatchAndWait(batch: [.add("milk"), .add("bread")])
    #expect(await stop(of: ben) == .diverged(position: 2))
    #expect(await stop(of: ann) == .diverged(position: 2))
  }

  @Test func `Y1 Y4 a client that connects later with a different state notices it, too`() async throws {
    var settings = SyncSettings()
    settings.checksumInterval = 2
    let wrong = Feature<Ledger, LedgerAction> { state, _ in state.total += 2 }
    let ann = try await client("Ann", of: log, settings: settings)
    try await ann.dispatchConfirmed(.add("milk"))
    try await ann.dispatchConfirmed(.add("bread"))
    let ben = try await client("Ben", of: log, settings: settings, feature: wrong)
    #expect(await stop(of: ann) == .diverged(position: 2))
    #expect(await stop(of: ben) == .diverged(position: 2))
  }

  @Test func `Y1 a client that has diverged reads the confirmed state from the log again at its next start`()
    async throws
  {
    var settings = SyncSettings()
    settings.checksumInterval = 2
    let folder = SimulatedFolder()
    let wrong = Feature<Ledger, LedgerAction> { state, _ in state.total += 2 }
    let ann = try await client("Ann", of: log, settings: settings)
    do {
      let ben = try await client(
        "Ben", of: log, outbox: Storage(folder, durability: .full), settings: settings, feature: wrong)
      try await ann.dispatchConfirmed(.add("milk"))
      await ben.caughtUp(to: 1)
      await ann.dispatchAndWait(.add("bread"))
      #expect(await stop(of: ben) == .diverged(position: 2))
      await ben.dispatchAndWait(.add("tea"))
      try await ben.flush()
    }
    #expect(await stop(of: ann) == .diverged(position: 2))
    let ben = try await client(
      "Ben", of: log, outbox: Storage(folder.afterKill(), durability: .full), settings: settings)
    await ben.caughtUp(to: 3)
    #expect(ben.confirmed.state.entries == ["milk", "bread", "tea"])
    #expect(ben.confirmed.state.total == 3)
  }

  @Test func `Y4 a checksum from a replaced log stops no client`() async throws {
    var settings = SyncSettings()
    settings.checksumInterval = 2
    let wrong = Feature<Ledger, LedgerAction> { state, _ in state.total += 2 }
    let other = MemoryLog()
    let signals = other.signals()
    let ben = try await client("Ben", of: other, settings: settings, feature: wrong)
    try await ben.dispatchConfirmed(.add("milk"))
    try await ben.dispatchConfirmed(.add("bread"))
    var late: Data?
    for await signal in signals {
      guard case .message(let bytes) = signal else { continue }
      late = bytes
      break
    }
    let ann = try await client("Ann", of: log, settings: settings)
    try await ann.dispatchConfirmed(.add("milk"))
    try await ann.dispatchConfirmed(.add("bread"))
    let id = try await log.connect(LogClient("reader"), reducerVersion: 1).id
    let (came, send) = AsyncStream<Int>.makeStream()
    let subscription = ann.observe(messages: Int.self) { number, _ in send.yield(number) }
    try await log.broadcast(try #require(late), in: id)
    try await ann.broadcast(1)
    for await _ in came { break }
    #expect(ann.status.state.stop == nil)
    withExtendedLifetime(subscription) {}
  }

  @Test func `Y1, Y4 a client notices that another one differs, even after equal checksums`() async throws {
    var settings = SyncSettings()
    settings.checksumInterval = 2
    let ann = try await client("Ann", of: log, settings: settings)
    await ann.caughtUp(to: 0)
    let id = try await log.connect(LogClient("reader"), reducerVersion: 1).id
    let own = try await checksum(of: ledgerFeature(), settings)
    for checksum in [own, own &+ 1] {
      try await log.broadcast(
        try BinaryCoding().encode(Message.checksum(checksum, position: 2, log: id, version: 1)), in: id)
    }
    // Received before the actions.
    let (came, send) = AsyncStream<Int>.makeStream()
    let subscription = ann.observe(messages: Int.self) { number, _ in send.yield(number) }
    try await ann.broadcast(1)
    for await _ in came { break }
    await ann.dispatchAndWait(batch: [.add("milk"), .add("bread")])
    await #expect(throws: ConfirmationError.stopped(.diverged(position: 2))) {
      try await ann.dispatchConfirmed(.add("tea"))
    }
    withExtendedLifetime(subscription) {}
  }

  /// A message of a client to the others.
  private enum Message: Codable {
    case checksum(UInt64, position: Int, log: UUID, version: Int)
  }

  /// Returns the checksum that a client sends after it has added milk and bread.
  private func checksum(of feature: Feature<Ledger, LedgerAction>, _ settings: SyncSettings) async throws -> UInt64 {
    let other = MemoryLog()
    let signals = other.signals()
    let ben = try await client("Ben", of: other, settings: settings, feature: feature)
    try await ben.dispatchConfirmed(.add("milk"))
    try await ben.dispatchConfirmed(.add("bread"))
    for await case .message(let bytes) in signals {
      let message = try BinaryCoding().decode(Message.self, from: bytes)
      if case .checksum(let checksum, 2, _, _) = message { return checksum }
    }
    return 0
  }

  @Test func `Y4 a log with actions of a client that has sent nothing stops syncing`() async throws {
    let confused = CountingLog(log) { found in
      LogDescription(
        id: found.id, reducerVersion: found.reducerVersion, end: 5, compactedEnd: 0, lastNumber: 5, lease: found.lease)
    }
    let ann = try await client("Ann", of: confused)
    guard case .refused = await stop(of: ann) else {
      Issue.record("\(ann.status.state)")
      return
    }
  }

  @Test func `Y4 an action that cannot be encoded stops syncing`() async throws {
    struct Failing: Codable, Equatable, Sendable {
      func encode(to encoder: any Encoder) throws { throw CancellationError() }
    }
    let feature = Feature<Int, Failing> { state, _ in state += 1 }
    let store = try await SharedStore(
      initialState: 0, feature: feature, log: log, client: "Ann", outbox: .inMemory())
    await store.dispatchAndWait(Failing())
    #expect(store.state == 1)
    guard case .cannotEncode = store.status.state.stop else {
      Issue.record("\(store.status.state)")
      return
    }
    await #expect(throws: ConfirmationError.self) { try await store.dispatchConfirmed(Failing()) }
    do {
      try await store.flush()
      Issue.record("the lost action was not reported")
    } catch {
      guard case .cannotEncode = error else { throw error }
    }
  }

  @Test func `Y2 flush reports an action that cannot be encoded, even if something else has stopped syncing`()
    async throws
  {
    struct Odd: Codable, Equatable, Sendable {
      let number: Int

      init(_ number: Int) {
        self.number = number
      }

      init(from decoder: any Decoder) throws {
        number = try Int(from: decoder)
      }

      func encode(to encoder: any Encoder) throws {
        guard number != 2 else { throw CancellationError() }
        try number.encode(to: encoder)
      }
    }
    let feature = Feature<Int, Odd> { state, _ in state += 1 }
    let store = try await SharedStore(initialState: 0, feature: feature, log: log, client: "Ann", outbox: .inMemory())
    try await store.dispatchConfirmed(Odd(1))
    log.replace()
    for await status in store.status.states() where status.stop == .anotherLog { break }
    await store.dispatchAndWait(Odd(3))
    try await store.flush()
    await store.dispatchAndWait(Odd(2))
    await #expect(throws: StorageError.self) { try await store.flush() }
    #expect(store.status.state.stop == .anotherLog)
  }

  @Test func `Y4 an action that cannot be decoded stops only its sender`() async throws {
    enum Payment: Codable, Equatable, Sendable {
      case add(Decimal)
    }
    let feature = Feature<Decimal, Payment> { state, action in
      if case .add(let amount) = action { state += amount }
    }
    let stores = try await [
      SharedStore(initialState: 0, feature: feature, log: log, client: "Ann", outbox: .inMemory()),
      SharedStore(initialState: 0, feature: feature, log: log, client: "Ben", outbox: .inMemory()),
    ]
    try await stores[0].dispatchConfirmed(.add(1))
    await stores[0].dispatchAndWait(.add(.nan))
    guard case .cannotEncode = stores[0].status.state.stop else {
      Issue.record("\(stores[0].status.state)")
      return
    }
    try await stores[1].dispatchConfirmed(.add(2))
    #expect(stores[1].confirmed.state == 3)
    #expect(stores[1].status.state.stop == nil)
  }

  @Test func `Y4 a log that ends before its reported end stops syncing`() async throws {
    let short = CountingLog(log) { found in
      LogDescription(
        id: found.id, reducerVersion: found.reducerVersion, end: 5, compactedEnd: 0, lastNumber: 0, lease: found.lease)
    }
    let ann = try await client("Ann", of: short)
    guard case .unreadable(position: 1, _) = await stop(of: ann) else {
      Issue.record("\(ann.status.state)")
      return
    }
  }

  /// A change that a log may make to its content.
  enum Alteration: CaseIterable, Sendable {
    case text, zero, version, number, name

    func callAsFunction(_ action: LoggedAction) -> LoggedAction {
      let text = String(decoding: action.bytes, as: UTF8.self)
      let bytes =
        switch self {
        case .text: Data(text.replacing("milk", with: "MILK").utf8)
        case .zero: action.bytes + [0x20]
        default: action.bytes
        }
      return LoggedAction(
        position: action.position,
        client: self == .name
          ? LogClient(action.client.name.uppercased(), incarnation: action.client.incarnation) : action.client,
        number: action.number + (self == .number ? 1 : 0),
        version: action.version + (self == .version ? 1 : 0),
        bytes: bytes
      )
    }
  }

  @Test(arguments: Alteration.allCases)
  func `Y2 Y4 a log that alters actions stops syncing, and is not filled`(alteration: Alteration) async throws {
    let altering = CountingLog(log, alter: alteration.callAsFunction)
    let ann = try await client("Ann", of: altering)
    await ann.dispatchAndWait(batch: [.add("milk"), .add("bread")])
    switch await stop(of: ann) {
    case .altered: break
    case .unknownVersion where alteration == .version: break
    case let reason: Issue.record("\(reason as Any)")
    }
    #expect(ann.state.entries.contains("bread"))
    let found = try await log.connect(LogClient("reader"), reducerVersion: 1)
    #expect(found.end <= 6)
  }

  @Test func `Y1 Y4 a snapshot that a log returns for another position stops syncing`() async throws {
    var settings = SyncSettings()
    settings.snapshotInterval = 2
    let ann = try await client("Ann", of: log, settings: settings)
    for text in ["milk", "bread", "tea"] { try await ann.dispatchConfirmed(.add(text)) }
    let altering = CountingLog(
      log,
      alterSnapshot: {
        LogSnapshot(position: $0.position + 1, numbers: $0.numbers, version: $0.version, bytes: $0.bytes)
      })
    let ben = try await client("Ben", of: altering)
    #expect(await stop(of: ben) == .altered(position: 3))
    #expect(ben.confirmed.state.entries == [])
  }

  @Test func `every reason is a sentence`() {
    let reasons: [SyncStop] = [
      .anotherLog, .olderLog(end: 1, read: 2), .otherReducer(log: 1, own: 2), .unknownVersion(2, position: 3),
      .unreadable(position: 1, reason: "no"), .altered(position: 4),
      .diverged(position: 4), .copiedOutbox(actions: 3), .refused("no"),
      .cannotEncode("no"), .ended(position: 1), .endedByWaiting(2),
    ]
    #expect(Set(reasons.map(\.description)).count == reasons.count)
    for reason in reasons { #expect(reason.description.contains(" ") && !reason.description.hasSuffix(".")) }
  }
}
