import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Held actions")
struct HeldActionTests {
  private struct Model: Equatable, Sendable {
    var numbers: [Int] = []
    var part: [Int]? = []
  }

  private enum Action: Equatable, Sendable {
    case number(Int)
    case part(Int)

    var part: Int? { if case .part(let number) = self { number } else { nil } }
  }

  private let executor = ManualExecutor()
  private let held = RecordedValues<HeldAction<Int>>()
  private let log = RecordedValues<String>()

  /// Holds the multiples of ten.
  private var holding: Interceptor<[Int], Int> {
    Interceptor { [held] action, _ in action.isMultiple(of: 10) ? .hold { held.append($0) } : .pass }
  }

  private func noting(_ name: String, replacing replaced: [Int: Int] = [:]) -> Interceptor<[Int], Int> {
    Interceptor { [log] action, _ in
      log.append("\(name) \(action)")
      return replaced[action].map { .replace(with: $0) } ?? .pass
    }
  }

  private func factory(_ interceptors: [Interceptor<[Int], Int>]) -> StoreFactory<[Int], Int> {
    StoreFactory(
      initialState: [],
      feature: Feature(interceptors: interceptors, reducer: appending),
      settings: TreeSettings(executor: executor)
    )
  }

  // MARK: Deciding

  @Test func `a held action makes no step until it is passed on, and then goes after the waiting work`() {
    let factory = factory([holding])
    let states = RecordedValues<[Int]>()
    factory.subscribe(observer: .recording(in: states))
    factory.dispatch(10)
    factory.dispatch(1)
    executor.run()
    #expect(states.values == [[], [1]])
    #expect(held.values.map(\.action) == [10])
    factory.dispatch(2)
    held.values[0].pass()
    factory.dispatch(3)
    executor.run()
    #expect(states.values == [[], [1], [1, 2], [1, 2, 10], [1, 2, 10, 3]])
  }

  @Test func `a held action can be replaced or dropped`() {
    let factory = factory([holding])
    factory.dispatch(10)
    factory.dispatch(20)
    executor.run()
    held.values[0].replace(with: 11)
    held.values[1].drop()
    #expect(factory.state == [11])
  }

  @Test func `the first decision counts, and later ones do nothing`() {
    let factory = factory([holding])
    for action in [10, 20, 30] { factory.dispatch(action) }
    executor.run()
    let decisions: [(HeldAction<Int>) -> Void] = [{ $0.pass() }, { $0.replace(with: 5) }, { $0.drop() }]
    for first in 0..<3 {
      for offset in 0..<3 { decisions[(first + offset) % 3](held.values[first]) }
    }
    #expect(factory.state == [10, 5])
  }

  @Test func `O5 each interceptor judges a held action once: those before the holding one now, and the others later`() {
    let factory = factory([
      noting("first", replacing: [1: 10]), holding, noting("second", replacing: [10: 12, 13: 14]), noting("third"),
    ])
    factory.dispatch(1)
    executor.run()
    #expect(log.values == ["first 1"])
    held.values[0].pass()
    #expect(factory.state == [12])
    #expect(log.values == ["first 1", "second 10", "third 12"])
    log.removeAll()
    factory.dispatch(20)
    executor.run()
    held.values[1].replace(with: 13)
    #expect(factory.state == [12, 14])
    #expect(log.values == ["first 20", "second 13", "third 14"])
  }

  @Test func `an action may be held again on its way, by a later interceptor and by an ancestor's`() {
    let factory = factory([holding, noting("root")])
    let child = factory.childStore(
      initialState: [],
      stateMapping: { [$0, $1] },
      feature: Feature(interceptors: [holding, noting("child"), holding], reducer: appending)
    )
    child.dispatch(10)
    for _ in 0..<3 {
      executor.run()
      #expect(child.state == [[], []])
      held.values.last?.pass()
    }
    #expect(child.state == [[10], [10]])
    #expect(held.values.count == 3)
    #expect(log.values == ["child 10", "root 10"])
  }

  @Test func `O4 an action that an ancestor holds and replaces is reduced by the child as the child passed it on`() {
    let factory = factory([holding, noting("root")])
    let child = factory.childStore(
      initialState: [],
      stateMapping: { [$0, $1] },
      feature: Feature(interceptors: [noting("child", replacing: [1: 10])], reducer: appending)
    )
    child.dispatch(1)
    executor.run()
    held.values[0].replace(with: 11)
    #expect(child.state == [[11], [10]])
    #expect(log.values == ["child 1", "root 11"])
  }

  @Test func `O4 an action held further up is reduced by the stores in between as it was passed on there`() {
    let factory = factory([holding])
    let child = factory.childStore(
      initialState: [],
      stateMapping: { [$0, $1] },
      feature: Feature(interceptors: [noting("child", replacing: [1: 10])], reducer: appending)
    )
    let grandchild = child.childStore(initialState: [], stateMapping: { $0 + [$1] }, reducer: appending)
    grandchild.dispatch(1)
    executor.run()
    held.values[0].replace(with: 20)
    executor.run()
    #expect(grandchild.state == [[20], [10], [1]])
    #expect(log.values == ["child 1"])
  }

  @Test func `the actions of a scope with its own type of actions are held above, including those of its children`() {
    let held = RecordedValues<HeldAction<Action>>()
    let factory = StoreFactory<Model, Action>(
      initialState: Model(),
      feature: Feature(
        interceptors: [Interceptor { _, _ in .hold { held.append($0) } }],
        effects: { _, action in action == .part(3) ? .send(.number(4)) : .none },
        reducer: { model, action in
          switch action {
          case .number(let number): model.numbers.append(number)
          case .part(let number): model.part?.append(number)
          }
        }
      ),
      settings: TreeSettings(executor: executor)
    )
    let part = factory.scope(toOptional: \.part, action: Action.part)
    let child = part.childStore(initialState: [], stateMapping: { [$0, $1] }, reducer: appending)
    part.dispatch(1)
    child.dispatch(2)
    executor.run()
    #expect(held.values.map(\.action) == [.part(1), .part(2)])
    held.values[0].pass()
    held.values[1].replace(with: .part(3))
    executor.run()
    #expect(child.state == [[1, 3], [2]])
    held.values[2].pass()
    #expect(factory.state == Model(numbers: [4], part: [1, 3]))
  }

  @Test func `a scoped feature holds its own actions, between the features combined with it`() {
    let feature = Feature<Model, Action>.combined(
      Feature(
        interceptors: [
          Interceptor { [log] action, _ in
            log.append("first \(action)")
            return .pass
          }
        ]
      ),
      Feature(interceptors: [holding], reducer: appending)
        .scoped(toOptional: \.part, action: Action.part, extract: \.part),
      Feature(interceptors: [
        Interceptor { [log] action, _ in
          log.append("last \(action)")
          return .pass
        }
      ]) {
        model, action in if case .part(let number) = action { model.numbers.append(number) }
      }
    )
    let factory = StoreFactory(initialState: Model(), feature: feature, settings: TreeSettings(executor: executor))
    factory.dispatch(.part(10))
    factory.dispatch(.part(20))
    executor.run()
    held.values[0].replace(with: 11)
    held.values[1].pass()
    #expect(factory.state == Model(numbers: [11, 20], part: [11, 20]))
    #expect(log.values == ["first part(10)", "first part(20)", "last part(11)", "last part(20)"])
  }

  @Test func `a scoped interceptor holds the actions of its part`() {
    let held = held
    let scoped = holding.scoped(to: { (model: Model) in model.part }, action: Action.part, extract: \.part)
    let factory = StoreFactory<Model, Action>(
      initialState: Model(),
      feature: Feature(interceptors: [scoped]) {
        model, action in if case .part(let number) = action { model.part?.append(number) }
      },
      settings: TreeSettings(executor: executor)
    )
    factory.dispatch(.part(10))
    factory.dispatch(.part(20))
    executor.run()
    held.values[0].replace(with: 11)
    held.values[1].pass()
    #expect(factory.state.part == [11, 20])
  }

  // MARK: Who waits

  @Test func `dispatchAndWait and perform return when their action is held`() async {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(interceptors: [holding], reducer: appending)
    )
    await factory.dispatchAndWait(10)
    wait(for: 20, in: factory)
    await factory.perform(30)
    #expect(factory.state == [])
    #expect(held.values.map(\.action) == [10, 20, 30])
    for held in held.values { held.pass() }
    #expect(factory.state == [10, 20, 30])
  }

  private func wait(for action: Int, in factory: StoreFactory<[Int], Int>) {
    factory.dispatchAndWait(action)
  }

  @Test func `S4 a held action leaves its batch, and the rest of the batch is one step`() {
    let factory = factory([holding])
    let states = RecordedValues<[Int]>()
    factory.subscribe(observer: .recording(in: states))
    factory.dispatch(batch: [1, 10, 2])
    executor.run()
    #expect(states.values == [[], [1, 2]])
    held.values[0].pass()
    executor.run()
    #expect(states.values == [[], [1, 2], [1, 2, 10]])
  }

  @Test func `the mutation of commitLater is held, and changes nothing until it resumes`() {
    let held = RecordedValues<HeldAction<Mutation<Int>>>()
    let store = CommitStore(
      initialState: 1,
      feature: Feature(interceptors: [Interceptor { _, _ in .hold { held.append($0) } }])
    )
    let child = store.childCommitStore(initialState: 1)
    store.commitLater { $0 += 1 }
    child.commitLater { $0 += 10 }
    #expect(store.state == 1)
    #expect(child.state == 1)
    for held in held.values { held.pass() }
    #expect(store.state == 2)
    #expect(child.state == 11)
  }

  @Test func `a waiting commit that is held stops the program with a message`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let held = RecordedValues<HeldAction<Mutation<Int>>>()
      CommitStore(
        initialState: 0,
        feature: Feature(interceptors: [Interceptor { _, _ in .hold { held.append($0) } }])
      )
      .commit { $0 += 1 }
    }
    expect(result, contains: "an interceptor dropped, replaced or held its mutation")
  }

  // MARK: Tokens

  @Test func `tokens that a store forgets drop their actions, and debug builds report the first`() async {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let factory = StoreFactory<[Int], Int>(
        initialState: [],
        feature: Feature(
          interceptors: [Interceptor { action, _ in action < 30 ? .hold { _ in } : .pass }],
          reducer: appending
        )
      )
      for action in 0...30 { factory.dispatch(action) }
      precondition(factory.state == [30])
    }
    #if DEBUG
      let sentence = "A HeldAction was released without a decision, so its action was dropped"
      expect(result, contains: sentence)
      let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
      #expect(text.split(separator: sentence, omittingEmptySubsequences: false).count == 2, "\(text)")
    #else
      _ = result
    #endif
  }

  @Test func `a token may be decided where it is received, and the action goes after the waiting work`() {
    let factory = factory([
      Interceptor { action, _ in action == 10 ? .hold { $0.replace(with: 11) } : .pass }
    ])
    factory.dispatch(10)
    factory.dispatch(1)
    #expect(factory.state == [1])
    #expect(factory.state == [1, 11])
  }

  @Test func `L3 a token that its own interceptor keeps retains nothing, and does nothing once its store is gone`() {
    weak let freed: Object?
    do {
      let object = Object()
      freed = object
      let factory = StoreFactory<[Int], Int>(
        initialState: [],
        feature: Feature(
          interceptors: [
            Interceptor { [held] _, _ in withExtendedLifetime(object) { .hold { held.append($0) } } }
          ],
          reducer: appending
        )
      )
      factory.dispatch(1)
      #expect(factory.state == [])
    }
    #expect(freed == nil)
    held.values[0].pass()
  }

  @Test func `a token may be decided from any thread, once`() {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(interceptors: [holding], reducer: appending)
    )
    for number in 1...50 { factory.dispatch(10 * number) }
    #expect(factory.state == [])
    let tokens = held.values
    onThreads(4) { _ in for token in tokens { token.pass() } }
    #expect(factory.state.sorted() == (1...50).map { 10 * $0 })
  }

  @Test func `a held action of a task that is canceled meanwhile is not reduced`() async throws {
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(interceptors: [holding], reducer: appending)
    )
    let gate = Gate()
    let task = factory.task(key: "task") { dispatch in
      dispatch(10)
      await gate.pass()
    }
    while held.values.isEmpty { await factory.dispatchAndWait(1) }
    factory.cancel("task")
    gate.open()
    _ = try? await task.value
    held.values[0].pass()
    #expect(!factory.state.contains(10))
  }

  @Test func `an interceptor that holds an action of a canceled task receives no token, and nothing else is held`()
    async
  {
    let stores = RecordedValues<Store<[Int], Int>>()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        interceptors: [
          Interceptor { [held] action, _ in
            guard action == 10 else { return action == 1 ? .drop : .pass }
            stores.values[0].cancel("task")
            return .hold { held.append($0) }
          }
        ],
        reducer: appending
      )
    )
    stores.append(factory.rootStore())
    let task = factory.task(key: "task") { dispatch in dispatch(10) }
    _ = try? await task.value
    await factory.dispatchAndWait(1)
    #expect(held.values.isEmpty)
    #expect(factory.state == [])
  }

  @Test func `monitors see a held action as held, and the resumed action as a separate one`() {
    let watcher = Watcher()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(interceptors: [holding], reducer: appending),
      settings: TreeSettings(monitors: [watcher], executor: executor)
    )
    factory.dispatch(10)
    executor.run()
    held.values[0].replace(with: 11)
    executor.run()
    let actions = watcher.lines.values.filter { $0.contains(" to ") }
    #expect(actions == ["10 to Array<Int>: held", "10 to Array<Int>: replaced by 11"])
  }
}
