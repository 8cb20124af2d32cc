internal import Arbor

extension Storage {
  /// Makes a monitor that saves parts when they have changed. Give it to the factory whose initial state was loaded.
  ///
  /// - Stops the program unless the parts were loaded before. Each monitor needs its own load, because an initial state
  ///   could otherwise overwrite a stored one. Giving the monitor to two factories stops the program, too.
  /// - Parameters:
  ///   - parts: Parts that were loaded into one state, at least one. They are saved as they were declared for the load.
  ///   - quietTime: The time without a step before a save, on the factory's clock.
  ///   - longest: The longest time between the first unsaved step and its save.
  public func saving<State: Sendable>(
    _ parts: [Persisted<State>],
    debounce quietTime: Duration = .milliseconds(300),
    atLatestAfter longest: Duration = .seconds(5)
  ) -> SavingMonitor<State> {
    let (state, load, taken) = take(parts)
    let journaled = taken.compactMap(\.journaled).first
    // The parts are saved with all changes by the journal's actions. Afterward, the actions aren't needed.
    if let journaled { runLater { core in core.endJournal(of: journaled) } }
    let saved = taken.filter(\.mayBeSaved).map { part in
      // `take` has checked the type of the state.
      (part.part as! Persisted<State>, part.isStored && journaled == nil)
    }
    let source = SavedParts(saved, in: state, ofLoad: load)
    return SavingMonitor(self, source, SaveDelay(quietTime: quietTime, longest: longest))
  }

  /// Makes a monitor that journals the actions of the root's reducer, and saves the parts from time to time. Give it to
  /// the factory whose initial state was loaded.
  ///
  /// - Stops the program unless these parts and the journal were loaded before. Each monitor needs its own load.
  /// - Parameters:
  ///   - parts: The parts that were loaded, at least one.
  ///   - journal: The journal with which they were loaded.
  ///   - time: The time during which actions are collected before they are written together, on the factory's clock.
  @inlinable
  public func saving<State: Sendable, Action: Codable & Sendable>(
    _ parts: [Persisted<State>],
    _ journal: Journal<State, Action>,
    groupedFor time: Duration = .milliseconds(50)
  ) -> SavingMonitor<State> {
    let buffer = JournalBuffer<Action>()
    // The closure is made here, where the compiler specializes it.
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

  /// Takes parts that must have been loaded into one state.
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
