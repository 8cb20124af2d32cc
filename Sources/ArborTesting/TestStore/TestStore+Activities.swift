internal import Arbor

extension TestStore {
  /// Receives the next activity that was emitted at this store or below, which must equal a value.
  ///
  /// - Activities go through the mailbox in order with the actions: one behind an action that is held was not emitted yet.
  /// - Another one, or none, is a failure. With the exhaustivity `.off` those before it are received first.
  /// - Parameters:
  ///   - activity: The value of the activity.
  ///   - fileID: The file of the call, at which a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor on which the call is made.
  public func receive<Activity: Equatable & Sendable>(
    activity: Activity,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    while true {
      _ = await tree.settle(until: { !audible.isEmpty })
      if take(activity) { return }
      // Held actions that the test does not ask for are received first.
      guard !tree.exhaustivity.isOn, let entry = tree.held else { break }
      guard tree.skipNext(entry) else { return }
    }
    let (wanted, activities) = (ActionText.of(activity), audible)
    guard let first = activities.first else {
      return tree.record(.noActivity(wanted, held: tree.heldActions))
    }
    tree.record(.otherActivity(than: wanted, activities.map { ActionText.of($0.activity.value) }))
    if tree.exhaustivity.isOn { tree.recorder.takeActivity(at: first.index) }
  }

  /// Takes an activity that is the next one, or with the exhaustivity `.off` any.
  ///
  /// - Returns: `true` if there was one.
  private func take<Activity: Equatable & Sendable>(_ activity: Activity) -> Bool {
    let activities = audible
    let candidates = tree.exhaustivity.isOn ? activities.prefix(1) : activities[...]
    let found = candidates.first { _, heard in
      (heard.value as? Activity).map { Verdict.areEqual(activity, $0) } ?? false
    }
    guard let found else { return false }
    // Activities before the found one are taken as well: the test does not ask for them.
    for (index, _) in activities.reversed() where index <= found.index { tree.recorder.takeActivity(at: index) }
    return true
  }

  /// The activities that are heard at this store's node, with their places among those of the tree.
  private var audible: [(index: Int, activity: TestRecorder.Activity)] {
    tree.recorder.activities.enumerated()
      .filter { _, activity in tree.recorder.isBelow(activity.store, base.monitored) }
      .map { (index: $0.offset, activity: $0.element) }
  }
}
