import ArborDevTools
import TestSupport
import Testing

/// Random commands, compared to a model that replays everything from its base.
@Suite("Model of a recording", .oneThread)
struct RecordingModelTests {
  #if DEBUG
    private static let sequences = 10
  #else
    private static let sequences = 100
  #endif

  /// A reducer whose result depends on the order and the number of the actions.
  private static func reduce(_ state: inout UInt64, _ action: Int) {
    state = state &* 0x9E37_79B9_7F4A_7C15 &+ UInt64(action)
  }

  private struct Model {
    var base: UInt64 = 0
    var actions: [(id: Int, action: Int, isSkipped: Bool)] = []
    var position = 0
    var limit = Int.max
    var nextNumber = 1
    var isLocked = false
    var isPaused = false
    var unkept: UInt64?

    func state(at position: Int) -> UInt64 {
      var state = base
      for action in actions.prefix(position) where !action.isSkipped { reduce(&state, action.action) }
      return state
    }

    var state: UInt64 { position == actions.count ? unkept ?? state(at: position) : state(at: position) }

    func index(of number: Int) -> Int? { actions.firstIndex { $0.id == number } }

    mutating func perform(_ action: Int) {
      guard !isPaused else {
        var state = unkept ?? state(at: actions.count)
        reduce(&state, action)
        unkept = state
        return
      }
      let isAtEnd = position == actions.count
      actions.append((nextNumber, action, false))
      nextNumber += 1
      if isAtEnd { position = actions.count }
      commitExcess()
    }

    mutating func commitExcess() {
      let excess = max(actions.count - limit, 0)
      base = state(at: excess)
      actions.removeFirst(excess)
      position = max(position - excess, 0)
    }

    mutating func begin(at state: UInt64) {
      base = state
      actions = []
      position = 0
      unkept = nil
    }
  }

  @Test(arguments: 0..<repetitions(100))
  func `random commands have the same results as a replay from the base`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<Self.sequences { try run(&random) }
  }

  private func run(_ random: inout SplitMix64) throws {
    let interval = Int.random(in: 1...6, using: &random)
    var recording = Recording<UInt64, Int>(initialState: 0, checkpointInterval: interval) { Self.reduce(&$0, $1) }
    var model = Model()
    for _ in 0..<40 {
      try step(&recording, &model, &random)
      #expect(recording.count == model.actions.count)
      #expect(recording.position == model.position)
      #expect(recording.state == model.state)
      #expect(recording.base == model.base)
    }
    for position in 0...model.actions.count { #expect(try recording.state(at: position) == model.state(at: position)) }
    #expect(recording.entries.map(\.id) == model.actions.map(\.id))
    #expect(recording.entries.map(\.isSkipped) == model.actions.map(\.isSkipped))
  }

  private func step(
    _ recording: inout Recording<UInt64, Int>,
    _ model: inout Model,
    _ random: inout SplitMix64
  ) throws {
    let number = Int.random(in: 1...(model.nextNumber + 1), using: &random)
    let index = model.index(of: number)
    switch Int.random(in: 0..<24, using: &random) {
    case 0..<9:
      let action = Int.random(in: 0..<1000, using: &random)
      if model.isLocked {
        #expect(throws: RecordingError.locked) { try recording.perform(action) }
      } else {
        try recording.perform(action)
        model.perform(action)
      }
    case 9..<12:
      if let index {
        try recording.toggle(number)
        model.actions[index].isSkipped.toggle()
      } else {
        #expect(throws: RecordingError.noSuchAction(number)) { try recording.toggle(number) }
      }
    case 12:
      let range = number..<(number + Int.random(in: 0...5, using: &random))
      let isActive = Bool.random(using: &random)
      if model.actions.contains(where: { range.contains($0.id) }) {
        try recording.setActive(isActive, in: range)
        for index in model.actions.indices where range.contains(model.actions[index].id) {
          model.actions[index].isSkipped = !isActive
        }
      } else {
        #expect(throws: RecordingError.noActions(in: range)) { try recording.setActive(isActive, in: range) }
      }
    case 13, 14:
      let position = Int.random(in: -1...(model.actions.count + 1), using: &random)
      if 0...model.actions.count ~= position {
        try recording.jump(to: position)
        model.position = position
      } else {
        #expect(throws: RecordingError.self) { try recording.jump(to: position) }
      }
    case 15:
      if let index {
        try recording.jump(toAction: number)
        model.position = index + 1
      }
    case 16, 17:
      guard let index else { return }
      let other = model.actions.randomElement(using: &random)?.id
      let target = Bool.random(using: &random) ? other : nil
      try recording.move(number, before: target)
      guard target != number else { return }
      let action = model.actions.remove(at: index)
      model.actions.insert(action, at: target.flatMap { model.index(of: $0) } ?? model.actions.count)
    case 18:
      recording.sweep()
      model.position -= model.actions.prefix(model.position).count { $0.isSkipped }
      model.actions.removeAll { $0.isSkipped }
    case 19:
      model.limit = Int.random(in: 2...12, using: &random)
      try recording.setLimit(model.limit)
      model.commitExcess()
    case 20:
      switch Int.random(in: 0..<6, using: &random) {
      case 0:
        model.begin(at: model.state)
        recording.commit()
      case 1:
        model.begin(at: model.base)
        recording.rollBack()
      case 2:
        model.begin(at: 0)
        recording.reset()
      default: break
      }
    case 21:
      model.isLocked.toggle()
      recording.isLocked.toggle()
    case 22:
      if !model.isPaused { model.position = model.actions.count }
      model.isPaused = true
      recording.pause()
    default:
      if let unkept = model.unkept { model.begin(at: unkept) }
      model.isPaused = false
      recording.resume()
    }
  }
}
