/// Notifications about changes of a screen, and functions that apply them.
extension Model {
  /// A reader of parts of screens, notified once when one of them is about to change.
  final class Tracking {
    enum Reader {
      case reader(Int, Screen, [ScreenPart])
      case applier(Applier)
    }

    let reader: Reader
    var isOver = false

    init(_ reader: Reader) {
      self.reader = reader
    }
  }

  /// A function that follows parts of screens, and one that is called with them after each change.
  final class Applier {
    let number: Int

    /// Its position in the order in which such functions were added.
    let order: Int
    let sights: [Sight]
    var isStopped = false

    /// `true` while it is being called, and a flag for one more call.
    var isRunning = false
    var isRequested = false
    weak var tracking: Tracking?

    /// The last read screens, which this does not keep.
    var read: [Read] = []

    struct Read {
      weak let screen: Screen?
    }

    init(_ number: Int, order: Int, _ sights: [Sight]) {
      self.number = number
      self.order = order
      self.sights = sights
    }
  }

  @discardableResult
  func track(_ parts: [(screen: Screen, part: ScreenPart)], _ reader: Tracking.Reader) -> Tracking {
    let tracking = Tracking(reader)
    for (screen, part) in parts {
      screen.trackings.append((part, tracking))
      keepTracked(screen)
    }
    return tracking
  }

  /// `true` if a reader waits for a change of a screen.
  private func isTracked(_ screen: Screen) -> Bool { screen.trackings.contains { !$0.tracking.isOver } }

  /// Keeps a screen made from another one while a reader waits for it.
  private func keepTracked(_ screen: Screen) {
    // A screen that is being released keeps nothing.
    guard let origin = screen.origin, !origin.tracked.contains(where: { $0 === screen }) else { return }
    screen.handles += 1
    origin.tracked.append(screen)
    guard origin.tracked.count >= origin.trackedLimit else { return }
    letGoUntracked(of: origin)
    origin.trackedLimit = max(16, 2 * origin.tracked.count)
  }

  /// Handles a delivery to a screen: releases it if no reader waits for it, and occasionally checks all such screens.
  private func noticeDelivery(to screen: Screen) {
    guard let origin = screen.origin else { return }
    letGoUntracked(among: [screen])
    origin.trackedDeliveries += 1
    if origin.trackedDeliveries > max(64, 4 * origin.tracked.count) { letGoUntracked(of: origin) }
  }

  /// Releases screens that were kept for a reader, if no other reader waits for them.
  private func letGoUntracked(among screens: [Screen]) {
    for screen in screens where !isTracked(screen) {
      let origin = screen.origin
      guard let origin, let index = origin.tracked.firstIndex(where: { $0 === screen }) else { continue }
      origin.tracked.remove(at: index)
      letGo(of: screen)
    }
  }

  private func letGoUntracked(of origin: Screen) {
    origin.trackedDeliveries = 0
    let released = origin.tracked.filter { !isTracked($0) }
    origin.tracked.removeAll { !isTracked($0) }
    for screen in released { letGo(of: screen) }
  }

  // MARK: Changes

  func update(_ screen: Screen?, to shown: Shown) {
    guard let screen else { return }
    if screen.kind == .list { return update(screen, to: records(of: screen, in: shown)) }
    show(on: screen) { $0.shown = shown }
  }

  /// Updates rows with changed records, and then the list.
  private func update(_ list: Screen, to records: Records) {
    // These include records that were changed and changed back in between, and records that return unchanged.
    let before = Set(list.records.rows.map(\.id))
    let changed = records.rows.filter {
      !before.contains($0.id) || list.records.changes[$0.id] != records.changes[$0.id]
    }
    for record in changed {
      if let row = list.rows[record.id] { show(on: row) { $0.shown = Shown(record.value) } }
    }
    show(on: list) { $0.records = records }
  }

  /// Shows a new state, and first notifies readers of the changed parts.
  private func show(on screen: Screen, _ change: (Screen) -> Void) {
    let after = Screen(screen.kind, in: screen.tree, nil, screen.shown)
    change(after)
    tell(
      screen.trackings.filter { part, _ in
        // A whole state cannot be compared.
        screen.kind == .state && part == .whole || screen.value(part) != after.value(part)
      },
      of: screen
    )
    change(screen)
    noticeDelivery(to: screen)
  }

  func tell(_ trackings: [(part: ScreenPart, tracking: Tracking)], of screen: Screen) {
    for (_, tracking) in trackings where !tracking.isOver {
      tracking.isOver = true
      switch tracking.reader {
      case .reader(let reader, let screen, let parts): occurrences.tell(reader, parts.map { screen.value($0) }.digest)
      // Outside deliveries, the main queue would call it later, which does not happen while a world is played.
      case .applier(let applier): if rounds > 0 { changedAppliers.append(applier) }
      }
    }
    screen.trackings.removeAll { $0.tracking.isOver }
  }

  // MARK: Applying

  func apply(_ number: Int, _ sights: [Sight]) {
    guard appliers[number] == nil else { return }
    applierCount += 1
    let applier = Applier(number, order: applierCount, sights)
    apply(applier)
    if appliers[number] == nil { appliers[number] = applier } else { stop(applier) }
  }

  /// Stops applying and waiting, and releases everything.
  func stop(_ applier: Applier) {
    applier.isStopped = true
    applier.tracking?.isOver = true
    replaceRead(of: applier, by: [])
  }

  private func replaceRead(of applier: Applier, by screens: [Screen]) {
    let before = applier.read
    applier.read = screens.map { Applier.Read(screen: $0) }
    letGoUntracked(among: before.compactMap(\.screen))
  }

  private func apply(_ applier: Applier) {
    applier.isRequested = true
    guard !applier.isRunning else { return }
    applier.isRunning = true
    while applier.isRequested, !applier.isStopped {
      applier.isRequested = false
      applyOnce(applier)
    }
    applier.isRunning = false
  }

  private func applyOnce(_ applier: Applier) {
    let shown = applier.sights.map { (screen: screens[$0.screen], part: $0.part) }
    applier.tracking = track(shown.compactMap { shown in shown.screen.map { ($0, shown.part) } }, .applier(applier))
    // Read before the screens of the last call are released, when another thread may change them.
    let values = shown.map { $0.screen?.value($0.part) ?? 0 }
    replaceRead(of: applier, by: shown.compactMap(\.screen))
    note(.applied, applier.number, 0, values.digest)
    let tree = shown.compactMap(\.screen).first.flatMap { trees[$0.tree] }
    if let tree { react(in: tree, at: Place(.application, applier.number)) }
  }

  /// Makes deliveries to the main queue, and then calls the functions that follow changed parts, in their order.
  func makeRound(_ deliver: () -> Void) {
    rounds += 1
    deliver()
    rounds -= 1
    while rounds == 0, let next = changedAppliers.min(by: { $0.order < $1.order }) {
      changedAppliers.removeAll { $0 === next }
      if !next.isStopped { apply(next) }
    }
  }

  // MARK: Records

  /// The records of a table, and marks that distinguish them from equal ones.
  struct Records {
    var rows: [TableRow] = []
    var version = 0

    /// The version in which each record was last changed, by its id.
    var changes: [Int: Int] = [:]
  }

  /// The records of the table in a screen's content.
  func records(of screen: Screen, in shown: Shown) -> Records {
    trees[screen.tree]!.records[Int(shown.count)]
  }

  /// Returns `true` if a list last received the same version of the table; from now on, it has received this one.
  func isGivenAgain(_ shown: Shown, to observation: Observation) -> Bool {
    guard let list = observation.screen, list.kind == .list else { return false }
    let version = records(of: list, in: shown).version
    defer { list.version = version }
    return list.version == version
  }

  /// Changes the records when a root reduces an action.
  func changeRecords(of root: Node, by action: Action) {
    let count = Int(root.digest.count)
    let before = root.tree.records[count - 1]
    var records = before
    var rows: [TableRow] {
      get { records.rows }
      set { records.rows = newValue }
    }
    switch TableVerb(of: action.number) {
    case .add(let number, let id):
      if !rows.contains(where: { $0.id == id }) { rows.append(TableRow(id: id)) }
      for index in rows.indices where rows[index].id == id { rows[index].value += number }
    case .remove(let id): rows.removeAll { $0.id == id }
    case .rename(let id, let new):
      guard !rows.contains(where: { $0.id == new }) else { break }
      for index in rows.indices where rows[index].id == id { rows[index].id = new }
    case .nothing: break
    }
    if rows != before.rows {
      root.tree.recordVersions += 1
      records.version = root.tree.recordVersions
      for row in rows where !before.rows.contains(row) { records.changes[row.id] = records.version }
    }
    // Later versions were reverted.
    root.tree.records = root.tree.records.prefix(count) + [records]
  }
}
