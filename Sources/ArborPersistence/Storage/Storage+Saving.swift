internal import Arbor

extension Storage {
  /// Makes a monitor that saves parts when they have changed; to be given to the factory whose initial state was loaded.
  ///
  /// - Stops the program unless the parts were loaded before, for each monitor anew: an initial state could be saved over
  ///   a stored one. So does giving the monitor to two factories.
  /// - Parameters:
  ///   - parts: Parts that were loaded into one state, at least one. They are saved as they were declared then.
  ///   - quietTime: The time without a step before a save, on the factory's clock.
  ///   - longest: The time after the first unsaved step at which is saved at the latest.
  public func saving<State: Sendable>(
    _ parts: [Persisted<State>],
    debounce quietTime: Duration = .milliseconds(300),
    atLatestAfter longest: Duration = .seconds(5)
  ) -> SavingMonitor<State> {
    let (state, load, taken) = take(parts)
    let journaled = taken.compactMap(\.journaled).first
    // The parts are saved with all that the journal's actions have changed; afterwards the actions are not needed.
    if let journaled { runLater { core in core.endJournal(of: journaled) } }
    let saved = taken.filter(\.mayBeSaved).map { part in
      // Taken for this type of state.
      (part.part as! Persisted<State>, part.isStored && journaled == nil)
    }
    let source = SavedParts(saved, in: state, ofLoad: load)
    return SavingMonitor(self, source, SaveDelay(quietTime: quietTime, longest: longest))
  }

  /// Makes a monitor that journals what the root's reducer gets, and saves the parts now and then; to be given to the
  /// factory whose initial state was loaded.
  ///
  /// - Stops the program unless these parts and the journal were loaded before, for each monitor anew.
  /// - Parameters:
  ///   - parts: The parts that were loaded, at least one.
  ///   - journal: The journal with which they were loaded.
  ///   - time: The time in which actions are collected and then written together, on the factory's clock.
  @inlinable
  public func saving<State: Sendable, Action: Codable & Sendable>(
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    groupedFor time: Duration = .milliseconds(50)
  ) -> SavingMonitor<State> {
    let buffer = JournalBuffer<Action>()
    // A closure that is made here, where the compiler specializes it.
    return saving(parts, journal, groupedFor: time, buffer) { action in buffer.append(action) }
  }

  @usableFromInline
  func saving<State: Sendable, Action: Codable & Sendable>(
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    groupedFor time: Duration,
    _ buffer: JournalBuffer<Action>,
    _ receive: @escaping @Sendable (Action) -> Void
  ) -> SavingMonitor<State> {
    let (_, _, taken) = take(parts)
    guard let journaled = taken.first?.journaled as? JournaledParts<State, Action> else {
      Misuse.savingWithoutLoading.stop(about: "a journal")
    }
    journaled.use(buffer, receive)
    return SavingMonitor(self, journaled, SaveDelay(quietTime: time, longest: time))
  }

  /// Takes parts that were loaded into one state.
  private func take<State: Sendable>(_ parts: [Persisted<State>]) -> (state: State, load: Int, [LoadedPart]) {
    Self.requireDifferentNames(parts)
    let (taken, rest) = loaded.withLock { loaded in
      let taken = parts.compactMap { loaded.removeValue(forKey: $0.name) }
      // Other parts of the same load can no longer be taken: two monitors would save the parts at different moments.
      let rest = loaded.filter { _, part in taken.contains { $0.load == part.load } }
      for name in rest.keys { loaded[name] = nil }
      return (taken, rest)
    }
    withExtendedLifetime(rest) {}
    if parts.isEmpty { Misuse.savingNothing.stop() }
    let isOneLoad = taken.allSatisfy { $0.load == taken.first?.load }
    guard taken.count == parts.count, isOneLoad, let load = taken.first?.load, let state = taken.first?.state as? State
    else {
      Misuse.savingWithoutLoading.stop(about: parts.map(\.name).joined(separator: ", "))
    }
    return (state, load, taken)
  }
}
