internal import Arbor

extension TestStore {
  /// Receives the next activity that was emitted at this store or below, which must equal a value.
  ///
  /// - Activities go through the mailbox in order with the actions: one behind an action that is held was not emitted yet.
  /// - Another one, or none, is a failure. With the exhaustivity `.off` those before it are received first.
  public func receive<Activity: Equatable & Sendable>(
    activity: Activity,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column,
    isolation: isolated (any Actor)? = #isolation
  ) async {
    tree.begin(at: SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column))
    _ = await tree.settle(until: { !audible.isEmpty })
    let activities = audible
    for (index, heard) in activities where index == activities[0].index || !tree.exhaustivity.isOn {
      guard heard.value as? Activity == activity else { continue }
      // Those before it were asked for by nobody.
      for (earlier, _) in activities.prefix(while: { $0.index <= index }).reversed() {
        tree.recorder.takeActivity(at: earlier)
      }
      return
    }
    let happened = activities.map { ActionText.of($0.activity.value) }
    tree.record(.otherActivity(than: ActionText.of(activity), happened))
    if tree.exhaustivity.isOn, let first = activities.first { tree.recorder.takeActivity(at: first.index) }
  }

  /// The activities that are heard at this store's node, with their places among those of the tree.
  private var audible: [(index: Int, activity: TestRecorder.Activity)] {
    tree.recorder.activities.enumerated()
      .filter { _, activity in tree.recorder.isBelow(activity.store, base.monitored) }
      .map { (index: $0.offset, activity: $0.element) }
  }
}
