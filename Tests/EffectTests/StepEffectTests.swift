import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Effects and tasks, one step at a time")
struct StepEffectTests {
  let executor = ManualExecutor()
  let clock = TestClock()

  func factory(
    effects: (@Sendable (_ state: [Int], _ action: Int) -> Effect<Int>)? = nil,
    stateEffects: [StateEffect<[Int], Int>] = []
  ) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      effects: effects,
      stateEffects: stateEffects,
      clock: clock,
      executor: executor,
      reducer: appending
    )
  }

  // MARK: State effects and batches

  @Test func `S4 the effect of a change is performed once for a batch, with the state that the batch leaves`() {
    let asked = RecordedValues<[Int]>()
    let factory = factory(stateEffects: [
      StateEffect(onChange: \.self, mode: .parallel) { state in
        asked.append(state)
        return .none
      },
      StateEffect(onChange: \.last) { state in
        asked.append(state)
        return .none
      },
    ])
    executor.run()
    factory.rootStore().dispatch(batch: [5, 0])
    executor.run()
    #expect(asked.values == [[5, 0], [5, 0]])
    factory.rootStore().dispatch(batch: [7])
    executor.run()
    #expect(asked.values.count == 4)
  }

  @Test func `S4 a batch that changes a value and changes it back performs no effect`() {
    let asked = RecordedValues<[Int]>()
    let factory = factory(stateEffects: [
      StateEffect(onChange: { state in state.last.map { $0 > 0 } ?? false }) { state in
        asked.append(state)
        return .none
      },
      StateEffect(while: { state in state.last.map { $0 > 0 } ?? false }) { state in
        asked.append(state)
        return .none
      },
    ])
    executor.run()
    factory.rootStore().dispatch(batch: [5, 0])
    executor.run()
    #expect(asked.values == [])
  }

  @Test func `S4 a job that a batch begins and ends performs nothing, and one that it restarts goes on once`() {
    struct Upload: Sendable { var job = EffectState() }
    enum Verb { case run, restart, succeed }
    let begun = RecordedValues<Int>()
    let factory = StoreFactory<Upload, Verb>(
      initialState: Upload(),
      stateEffects: [
        StateEffect(\.job) { [clock] state in
          begun.append(state.job.attemptsBegun)
          return .run { _ in try await clock.sleep(for: .seconds(1)) }
        }
      ],
      clock: clock,
      executor: executor
    ) { state, verb in
      switch verb {
      case .run: state.job.run()
      case .restart: state.job.restart()
      case .succeed: state.job.succeed()
      }
    }
    executor.run()
    factory.rootStore().dispatch(batch: [.run, .succeed])
    executor.run()
    #expect(begun.values == [])
    factory.rootStore().dispatch(batch: [.run, .restart, .restart])
    executor.run()
    #expect(begun.values == [4])
    factory.rootStore().dispatch(batch: [.succeed, .restart, .succeed])
    executor.run()
    #expect(clock.sleepers == 0)
  }

  @Test func `S4 the state effects of a child, its ancestors and their parts are judged after the batch, in order`() {
    struct Root: Sendable {
      var total = 0
      var part = 0
    }
    let asked = RecordedValues<String>()
    let part = Feature<Int, Int>(
      stateEffects: [
        StateEffect(onChange: \.self) { state in
          asked.append("part \(state)")
          return .none
        }
      ],
      reducer: { state, action in state += action }
    )
    let factory = StoreFactory(
      initialState: Root(),
      feature: Feature<Root, Int>.combined(
        Feature(
          effects: { state, action in
            asked.append("action \(action) in \(state.total)")
            return .none
          },
          stateEffects: [
            StateEffect(onChange: \.total) { state in
              asked.append("root \(state.total)")
              return .none
            }
          ],
          reducer: { state, action in state.total += action }
        ),
        part.scoped(to: \.part, action: { $0 }, extract: { $0.isMultiple(of: 2) ? $0 : nil })
      ),
      executor: executor
    )
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { root, own in root.total + own },
      stateEffects: [
        StateEffect(onChange: \.self) { state in
          asked.append("child \(state)")
          return .none
        }
      ],
      reducer: { (state: inout Int, action: Int) in state += action }
    )
    executor.run()
    child.store().dispatch(batch: [1, 2])
    executor.run()
    #expect(asked.values == ["action 1 in 1", "action 2 in 3", "child 3", "root 3", "part 2"])
  }
}
