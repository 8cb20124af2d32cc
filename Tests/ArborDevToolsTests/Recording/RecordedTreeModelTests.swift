import Arbor
import ArborDevTools
import Synchronization
import TestSupport
import Testing

/// Random trees and random commands, compared to a model that replays everything from its base.
@Suite("Model of a recorded tree", .oneThread)
struct RecordedTreeModelTests {
  private typealias Model = RecordedTreeModel

  #if DEBUG
    private static let sequences = 10
  #else
    private static let sequences = 100
  #endif

  /// Records which stores are made.
  private final class Births: StoreMonitor {
    private let ids = Mutex<[UInt64]>([])

    var last: UInt64? { ids.withLock { $0.last } }

    func monitor(_ record: borrowing ActionRecord) {}

    func monitor(_ event: StoreEvent, at time: Duration) {
      if case .storeMade(let store) = event { ids.withLock { $0.append(store.id) } }
    }
  }

  /// A child of either kind: one that commits to itself, or one whose actions its parent also reduces.
  private enum Child {
    case own(StoreObject<UInt64, Mutation<UInt64>>)
    case shared(StoreObject<UInt64, Mutation<UInt64>>)
  }

  @Test(arguments: 0..<repetitions(100))
  func `random commands have the same results as a replay from the base, in all stores`(seed: Int) throws {
    var random = SplitMix64(seed: UInt64(seed))
    for _ in 0..<Self.sequences { try run(&random) }
  }

  private func run(_ random: inout SplitMix64) throws {
    let interval = Int.random(in: 1...6, using: &random)
    let limit = Int.random(in: 2...40, using: &random)
    let (recorder, births) = (Recorder<UInt64, Mutation<UInt64>>(limit: limit, checkpointInterval: interval), Births())
    let store = CommitStore<UInt64>(initialState: 7, settings: TreeSettings(monitors: [recorder, births]))
    var model = Model(initial: 7, limit: limit)
    var living: [UInt64: Child] = [:]
    for _ in 0..<Int.random(in: 0...40, using: &random) {
      act(store, births, &living, &model, &random)
    }
    _ = store.state
    var recording = try #require(recorder.recording)
    try expectEqual(recording, model)
    for _ in 0..<12 {
      try step(&recording, &model, &random)
      #expect(recording.count == model.entries.count && recording.position == model.position)
      #expect(recording.state == model.state(at: model.position))
    }
    try expectEqual(recording, model)
    withExtendedLifetime((store, living)) {}
  }

  private func expectEqual(_ recording: Recording<UInt64, Mutation<UInt64>>, _ model: Model) throws {
    #expect(recording.entries.map(\.id) == model.entries.map(\.id))
    #expect(recording.entries.map(\.isSkipped) == model.entries.map(\.isSkipped))
    for position in 0...model.entries.count {
      #expect(try recording.state(at: position) == model.state(at: position))
      let states = model.childStates(at: position)
      #expect(try recording.stores(at: position).dropFirst().map(\.id) == states.keys.sorted())
      for (id, state) in states { #expect(try recording.state(of: id, at: position) as? UInt64 == state) }
    }
  }

  /// Performs a random act in the tree.
  private func act(
    _ store: CommitStore<UInt64>,
    _ births: Births,
    _ living: inout [UInt64: Child],
    _ model: inout Model,
    _ random: inout SplitMix64
  ) {
    let value = Int.random(in: 0..<1000, using: &random)
    let mutation = Mutation<UInt64> { Model.mix(&$0, value) }
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<4:
      store.dispatch(mutation)
      model.append(.mix(value))
    case 4:
      store.dispatch(batch: [mutation, mutation])
      model.append(.mix(value))
      model.append(.mix(value))
    case 5:
      model.append(
        .left(
          store.commit {
            Model.mix(&$0, value)
            return $0
          }))
    case 6 where living.count < 3:
      let isOwn = Bool.random(using: &random)
      let start = UInt64(value)
      let child: Child =
        isOwn
        ? .own(store.childCommitStore(initialState: start) { $1 })
        : .shared(
          store.childStore(
            initialState: start,
            stateMapping: { $1 },
            feature: Feature<UInt64, Mutation<UInt64>> { state, _ in Model.mix(&state, 1) }
          ))
      _ = store.state
      guard let id = births.last else { return }
      living[id] = child
      model.children.append(.init(id: id, start: start, birth: model.entries.count, death: nil))
    case 7:
      guard let id = living.keys.sorted().randomElement(using: &random) else { return }
      living[id] = nil
      _ = store.state
      let index = model.children.firstIndex { $0.id == id }!
      model.children[index].death = model.entries.count
    default:
      guard let id = living.keys.sorted().randomElement(using: &random) else { return }
      switch living[id]! {
      case .shared(let child):
        child.dispatch(mutation)
        model.append(.mix(value), [id: .mix(1)])
      case .own(let child) where Bool.random(using: &random):
        child.dispatch(mutation)
        model.append(nil, [id: .mix(value)])
      case .own(let child):
        model.append(
          nil,
          [
            id: .left(
              child.commit {
                Model.mix(&$0, value)
                return $0
              }!)
          ])
      }
    }
  }

  private func step(
    _ recording: inout Recording<UInt64, Mutation<UInt64>>,
    _ model: inout Model,
    _ random: inout SplitMix64
  ) throws {
    let number = model.entries.randomElement(using: &random)?.id ?? 0
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<2:
      let value = Int.random(in: 0..<1000, using: &random)
      try recording.perform(Mutation { Model.mix(&$0, value) })
      model.append(.mix(value))
    case 2..<6:
      guard let index = model.index(of: number) else { return }
      try recording.toggle(number)
      model.entries[index].isSkipped.toggle()
    case 6..<8:
      let range = number..<(number + Int.random(in: 1...9, using: &random))
      guard model.index(of: number) != nil else { return }
      let isActive = Bool.random(using: &random)
      try recording.setActive(isActive, in: range)
      for index in model.entries.indices where range.contains(model.entries[index].id) {
        model.entries[index].isSkipped = !isActive
      }
    case 8..<10:
      model.position = Int.random(in: 0...model.entries.count, using: &random)
      try recording.jump(to: model.position)
    case 10, 11:
      guard model.index(of: number) != nil else { return }
      let other = Bool.random(using: &random) ? model.entries.randomElement(using: &random)?.id : nil
      try recording.move(number, before: other)
      model.move(number, before: other)
    case 12:
      recording.sweep()
      model.sweep()
    case 13:
      recording.removeFollowing()
      model.removeFollowing()
    case 14:
      model.limit = Int.random(in: 2...30, using: &random)
      try recording.setLimit(model.limit)
      model.commit(max(model.entries.count - model.limit, 0))
    default: begin(&recording, &model, &random)
    }
  }

  private func begin(
    _ recording: inout Recording<UInt64, Mutation<UInt64>>,
    _ model: inout Model,
    _ random: inout SplitMix64
  ) {
    switch Int.random(in: 0..<9, using: &random) {
    case 0:
      recording.commit()
      model.begin(model.state(at: model.position), at: model.position)
    case 1:
      recording.rollBack()
      model.begin(model.base, at: 0)
    case 2:
      recording.reset()
      model.begin(model.initial, at: 0)
    case 3, 4:
      recording.pause()
      recording.resume()
      recording.commit()
      model.begin(model.state(at: model.entries.count), at: model.entries.count)
    default:
      // Another recording takes everything over.
      var other = Recording<UInt64, Mutation<UInt64>>(initialState: 0, checkpointInterval: 3) { $1.apply(to: &$0) }
      other.load(recording)
      try? other.setLimit(model.limit)
      model.initial = 0
      recording = other
    }
  }
}
