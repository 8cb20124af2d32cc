public import Arbor
internal import ArborDiff

extension TestStore {
  /// The current state, after everything that was sent and received.
  ///
  /// - Reading it runs nothing. Held actions have not changed it yet.
  public var state: State {
    // The tree keeps the owner, so there is a state.
    base.readBetweenSteps()!
  }

  /// The extent to which the test must account for what happens from now on, for all test stores of the tree.
  public var exhaustivity: Exhaustivity {
    get { tree.exhaustivity }
    set { tree.exhaustivity = newValue }
  }

  /// Every action that has reached this store's reducers, from this store or below, in order, with this store's states
  /// before and after it.
  ///
  /// - Each action of a batch is a separate element. Actions that an interceptor has dropped are only in the
  ///   ``transcript``.
  /// - Cost: the test store keeps all states.
  public var history: [RecordedAction<State>] {
    tree.recorder.events.compactMap { event in
      guard case .action(let entry) = event, let states = view.read(entry.states) else { return nil }
      return RecordedAction(action: entry.action, outcome: entry.outcome, before: states.before, after: states.after)
    }
  }

  /// The history of the whole tree as text: one line for each action and activity, followed by its changes.
  ///
  /// - Equal runs give equal transcripts: there are no times or addresses, and unordered content is sorted.
  public var transcript: String {
    tree.recorder.events.map { $0.text(tree.recorder) }.joined(separator: "\n")
  }

  /// Asserts that the transcript equals the content of a file; on request, writes the file.
  ///
  /// - If the file differs or does not exist, a failure is recorded at the caller's line, with the lines that differ.
  /// - Parameters:
  ///   - path: The path of the file. A relative path starts in the folder of the test's source file.
  ///   - rewriting: `true` to write the file. Setting the environment variable `ARBOR_REWRITE_TRANSCRIPTS` to `1` has
  ///     the same effect.
  ///   - fileID: The file of the call, where a failure is recorded.
  ///   - filePath: The path of that file.
  ///   - line: The line of the call.
  ///   - column: The column of the call.
  public func expectTranscript(
    at path: String,
    rewriting: Bool = false,
    fileID: StaticString = #fileID,
    filePath: StaticString = #filePath,
    line: UInt = #line,
    column: UInt = #column
  ) {
    let place = SourcePlace(fileID: fileID, filePath: filePath, line: line, column: column)
    tree.speak(at: place)
    let file = TranscriptFile(path, beside: place)
    do {
      switch try file.compare(with: transcript, isRewriting: rewriting || TranscriptFile.isRewritingAsked) {
      case .same: break
      case .rewritten: tree.record(.rewrittenTranscript(file))
      case .different(let difference): tree.record(.otherTranscript(in: file, difference))
      case .missing: tree.record(.missingTranscript(file))
      }
    } catch {
      tree.record(.transcriptFile(error))
    }
  }
}

extension TestRecorder.Event {
  fileprivate func text(_ recorder: TestRecorder) -> String {
    switch self {
    case .action(let entry): entry.text(recorder)
    case .activity(let activity): "emitted \(ActionText.of(activity.value))\(recorder.placeText(of: activity.store))"
    }
  }
}

extension TestRecorder {
  fileprivate func placeText(of store: MonitoredStore) -> String {
    store.parent == nil ? "" : ", to \(name(of: store))"
  }
}

extension TestRecorder.Entry {
  fileprivate func text(_ recorder: TestRecorder) -> String {
    let changes = states.flatMap { transition in
      let prefix = states.count > 1 ? "\(recorder.name(of: transition.store)): " : ""
      return TestRecorder.Entry.difference(transition).lines.map { "  \(prefix)\($0)" }
    }
    let line = "\(role.rawValue) \(ActionText.of(action))\(recorder.placeText(of: store))\(outcome.text)"
    return ([line] + changes).joined(separator: "\n")
  }

  private static func difference(_ transition: StateTransition) -> StateDiff {
    func difference<State>(_ before: State) -> StateDiff {
      StateDiff(from: before as Any, to: transition.after as Any)
    }
    return difference(transition.before)
  }
}

/// An action that a test store's tree has reduced, with a store's states before and after it.
public struct RecordedAction<State: Sendable>: Sendable {
  /// The action, as it was dispatched.
  public let action: any Sendable

  /// The outcome of the action.
  public let outcome: ActionOutcome

  /// The state before the action's interceptors.
  public let before: State

  /// The state after its reducers, before its observers.
  public let after: State
}
