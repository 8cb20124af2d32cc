internal import Arbor

extension TestStore {
  /// Receives the next activity emitted at this store or below, which must equal a value.
  ///
  /// - Activities pass through the mailbox in order with the actions. An activity that follows a held action has not
  ///   been emitted yet.
  /// - It is a failure if the next activity is a different one, or there is none. If exhaustivity is `.off`, activities
  ///   before the expected one are received first.
  /// - Parameters:
  ///   - activity: The value of the activity.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  ///   - isolation: The actor that makes the call.
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
      // Held actions that the test does not mention are received first.
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

  /// Takes an activity if it is the next one, or at any position if exhaustivity is `.off`.
  ///
  /// - Returns: `true` if the activity was found.
  private func take<Activity: Equatable & Sendable>(_ activity: Activity) -> Bool {
    let activities = audible
    let candidates = tree.exhaustivity.isOn ? activities.prefix(1) : activities[...]
    let found = candidates.first { _, heard in
      (heard.value as? Activity).map { Verdict.areEqual(activity, $0) } ?? false
    }
    guard let found else { return false }
    // Also take the activities before the found one, which the test does not mention.
    for (index, _) in activities.reversed() where index <= found.index { tree.recorder.takeActivity(at: index) }
    return true
  }

  /// The activities emitted at this store's node or below, with their positions among those of the tree.
  private var audible: [(index: Int, activity: TestRecorder.Activity)] {
    tree.recorder.activities.enumerated()
      .filter { _, activity in tree.recorder.isBelow(activity.store, base.monitored) }
      .map { (index: $0.offset, activity: $0.element) }
  }
}
