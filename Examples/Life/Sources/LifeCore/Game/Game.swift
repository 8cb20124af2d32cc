internal import Arbor
internal import ArborDevTools

/// A world that advances by itself, and whose past you can travel.
///
/// - Use it from one thread at a time. The world itself is on the queue of its store.
package final class Game {
  private let recorder: Recorder<LifeState, LifeAction>
  private let factory: StoreFactory<LifeState, LifeAction>

  /// The numbers of all interferences. Those that are no longer in the recording are skipped.
  private var numbers: [Int] = []

  /// The numbers of the interferences that are left out of the present.
  private var leftOut: Set<Int> = []

  private var pace = Pace.live
  private var cursor: Cell
  private var seed: UInt64
  private var note = ""

  /// Makes a game.
  ///
  /// - Parameters:
  ///   - world: The world at the beginning.
  ///   - seed: The seed for random worlds.
  ///   - limit: The maximum number of actions to go back: ten minutes at 60 generations per second.
  package init(world: World = World(), seed: UInt64 = 1, limit: Int = 36_000) {
    recorder = Recorder(limit: limit, checkpointInterval: 32, arrivingActions: .drop)
    factory = StoreFactory(
      initialState: LifeState(world: world),
      feature: lifeFeature,
      settings: TreeSettings(monitors: [recorder])
    )
    cursor = Cell(world.width / 2, world.height / 2)
    self.seed = seed
  }

  /// Advances by one frame.
  package func advance() {
    switch pace {
    case .live: factory.dispatch(.advance)
    case .paused: break
    case .rewinding: step(by: -1)
    case .replaying: step(by: 1)
    }
  }

  /// The moment to show, after all commands so far.
  package var moment: Moment {
    let recording = recorder.recording
    return Moment(
      state: factory.state,
      pace: pace,
      position: recording?.position ?? 0,
      count: recording?.count ?? 0,
      isPast: recorder.isTravelling,
      interferences: interferences(of: recording),
      cursor: cursor,
      note: note
    )
  }

  /// Performs a command, except ``Command/quit``.
  package func perform(_ command: Command) {
    note = ""
    switch command {
    case .pause: togglePause()
    case .step(let distance):
      pace = .paused
      step(by: distance)
    case .rewind: pace = .rewinding
    case .leaveOut: leaveOut()
    case .continueFromHere: continueFromHere()
    case .present: resume()
    case .insert(let pattern):
      interfere(.insert(pattern, at: cursor))
      note = "\(pattern.title) added"
    case .sow:
      interfere(.sow(seed: seed))
      seed &+= 1
      note = "new random world"
    case .move(let distance): cursor = factory.state.world.wrapped(cursor + distance)
    case .quit: break
    }
  }

  // MARK: Time

  private func togglePause() {
    switch pace {
    case .live, .rewinding, .replaying: pace = .paused
    case .paused: pace = recorder.isTravelling ? .replaying : .live
    }
  }

  /// Shows an earlier or later moment, or the present if there is no later one.
  private func step(by distance: Int) {
    guard let recording = recorder.recording else { return }
    let position = max(recording.position + distance, 0)
    if position >= recording.count, isPresent(recording) {
      if recorder.isTravelling { resume() }
      return
    }
    travel(to: min(position, recording.count))
    if position == 0 { pace = .paused }
    if position >= recording.count {
      pace = .paused
      note = "enter continues from here, p returns to the present"
    }
  }

  /// `true` if a recording has the same past as the present. Both omit actions that are too old.
  private func isPresent(_ recording: Recording<LifeState, LifeAction>) -> Bool {
    let kept = Set(interferences(of: recording).map(\.number))
    return leftOut(of: recording) == leftOut.intersection(kept)
  }

  /// The numbers of the interferences that a recording leaves out.
  private func leftOut(of recording: Recording<LifeState, LifeAction>?) -> Set<Int> {
    Set(interferences(of: recording).filter(\.isLeftOut).map(\.number))
  }

  private func travel(to position: Int) {
    do {
      try recorder.travel(to: position)
    } catch {
      note = "\(error)"
    }
  }

  private func resume() {
    recorder.resume()
    pace = pace == .paused ? .paused : .live
  }

  private func leaveOut() {
    let position = recorder.recording?.position ?? 0
    guard let last = interferences(of: recorder.recording).last(where: { $0.position < position }) else {
      note = "no change was made before this moment"
      return
    }
    do {
      try recorder.toggle(last.number)
      pace = .paused
      note = last.isLeftOut ? "with the last change" : "without the last change"
    } catch {
      note = "\(error)"
    }
  }

  private func continueFromHere() {
    leftOut = leftOut(of: recorder.recording)
    let dropped = recorder.continueFromHere().count
    pace = .live
    note = dropped == 0 ? "" : "new present; actions dropped: \(dropped)"
  }

  // MARK: Interferences

  /// Changes the world. In the past, the moment becomes the present first.
  private func interfere(_ action: LifeAction) {
    if recorder.isTravelling { continueFromHere() }
    factory.dispatch(action)
    if let entry = recorder.recording?.entries.last { numbers.append(entry.id) }
  }

  private func interferences(of recording: Recording<LifeState, LifeAction>?) -> [Interference] {
    guard let recording else { return [] }
    return numbers.compactMap { number -> Interference? in
      // An interference that is too old, or was dropped, no longer exists.
      guard let position = try? recording.index(of: number) else { return nil }
      return Interference(number: number, position: position, isLeftOut: recording.entries[position].isSkipped)
    }
  }
}
