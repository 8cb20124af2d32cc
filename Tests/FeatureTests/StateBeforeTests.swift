import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Effects that see the previous state, send a batch, or cancel everything")
struct StateBeforeTests {
  let executor = ManualExecutor()
  let clock = TestClock()
  let log = RecordedValues<String>()

  struct Editor: Equatable, Identifiable, Sendable {
    var id = 1
    var count = 0
  }

  struct Whole: Equatable, Sendable {
    var editor = Editor()
    var optional: Editor? = Editor()
    var all = [Editor(id: 1), Editor(id: 2)]
    var total = 0
  }

  enum WholeAction: Sendable {
    case editor(Int)
    case optional(Int)
    case element(Int, Int)
    case add(Int)
    case remove
    case cancelAll
    case cancelEditor
    case cancelElements
    case cancelElement(Int)
  }

  /// Adds its actions to its count, records the counts before and after, and begins a task for 100.
  func editor(_ name: String) -> Feature<Editor, Int> {
    Feature<Editor, Int>(
      effects: { [clock] _, action in
        action == 100 ? .run(key: "work") { _ in try await clock.sleep(for: .seconds(9)) } : .none
      },
      reducer: { state, action in state.count += action }
    )
    .withEffects { [log] before, state, action in
      log.append("\(name)\(state.id): \(before.count) + \(action) = \(state.count)")
      return .none
    }
  }

  func makeFactory() -> StoreFactory<Whole, WholeAction> {
    let inner = editor("within").scoped(to: \.self, action: { $0 }, extract: { (action: Int) in action })
    let feature = Feature<Whole, WholeAction>.combined(
      editor("editor").scoped(to: \.editor, action: WholeAction.editor) {
        if case .editor(let action) = $0 { action } else { nil }
      },
      inner.scoped(toOptional: \.optional, action: WholeAction.optional) {
        if case .optional(let action) = $0 { action } else { nil }
      },
      editor("element").forEach(\.all, action: WholeAction.element) {
        if case .element(let id, let action) = $0 { (id, action) } else { nil }
      },
      Feature<Whole, WholeAction>(
        effects: { [clock] _, action in
          switch action {
          case .add(100): .run(key: "work") { _ in try await clock.sleep(for: .seconds(9)) }
          case .cancelAll: .cancelAll()
          case .cancelEditor: .merge(.cancelAll(at: .part(\Whole.editor)), .cancelAll(at: .part(\Whole.optional)))
          case .cancelElements: .cancelAll(at: .part(\Whole.all))
          case .cancelElement(let id): .cancelAll(at: .element(id, of: \Whole.all))
          default: .none
          }
        },
        reducer: { state, action in
          switch action {
          case .add(let number): state.total += number
          case .remove: state.optional = nil
          default: break
          }
        }
      )
    )
    return StoreFactory(
      initialState: Whole(),
      feature: feature.withEffects { [log] before, state, _ in
        if before.total != state.total { log.append("total: \(before.total), \(state.total)") }
        return .none
      },
      settings: TreeSettings(clock: clock, executor: executor)
    )
  }

  @Test func `an effect sees the state before and after its action, in each part`() {
    let factory = makeFactory()
    let store = factory.rootStore()
    store.dispatch(.editor(2))
    store.dispatch(.optional(3))
    store.dispatch(.element(2, 4))
    store.dispatch(.add(5))
    executor.run()
    #expect(
      log.values == ["editor1: 0 + 2 = 2", "within1: 0 + 3 = 3", "element2: 0 + 4 = 4", "total: 0, 5"]
    )
    store.dispatch(batch: [.editor(1), .add(1), .editor(1), .element(9, 1), .add(1)])
    executor.run()
    #expect(
      log.values.dropFirst(4) == [
        "editor1: 2 + 1 = 3", "total: 5, 6", "editor1: 3 + 1 = 4", "total: 6, 7",
      ]
    )
  }

  @Test func `a condition on the previous state needs no interceptor`() {
    struct Page: Sendable {
      var isLoading = false
      var loads = 0
    }
    enum PageAction { case load, loaded }
    let page = Feature<Page, PageAction> { state, action in
      state.isLoading = action == .load
      if action == .loaded { state.loads += 1 }
    }
    .withEffects { before, _, action in
      action == .load && !before.isLoading ? .run { dispatch in dispatch(.loaded) } : .none
    }
    let factory = StoreFactory(initialState: Page(), feature: page, settings: TreeSettings(executor: executor))
    factory.rootStore().dispatch(batch: [.load, .load, .load])
    executor.run()
    #expect(factory.state.loads == 1)
  }

  @Test func `saving and then closing needs no interceptor`() {
    struct Draft: Sendable {
      var isSaving = false
      var isOpen = true
    }
    enum DraftAction { case save, saved, cancel, close }
    let draft = Feature<Draft, DraftAction>(
      effects: { _, action in action == .save ? .run { dispatch in dispatch(.saved) } : .none },
      reducer: { state, action in
        state.isSaving = action == .save
        if action == .close { state.isOpen = false }
      }
    )
    .withEffects { before, _, action in before.isSaving && action == .saved ? .send(.close) : .none }
    let factory = StoreFactory(initialState: Draft(), feature: draft, settings: TreeSettings(executor: executor))
    for action: DraftAction in [.saved, .save, .cancel] { factory.rootStore().dispatch(action) }
    executor.run()
    #expect(factory.state.isOpen, "nothing was being saved when it came")
    factory.rootStore().dispatch(.save)
    executor.run()
    #expect(!factory.state.isOpen)
  }

  @Test func `S1 the previous state is not kept after the step`() {
    struct Big: Sendable { var object: Object? }
    weak var first: Object?
    let feature = Feature<Big, Int> { state, action in if action == 1 { state.object = nil } }
      .withEffects { _, _, _ in .none }
    let factory: StoreFactory<Big, Int>
    do {
      let object = Object()
      first = object
      factory = StoreFactory(
        initialState: Big(object: object),
        feature: feature,
        settings: TreeSettings(executor: executor)
      )
    }
    factory.rootStore().dispatch(0)
    executor.run()
    #expect(first != nil)
    factory.rootStore().dispatch(1)
    executor.run()
    #expect(first == nil)
  }

  // MARK: A batch from an effect

  @Test func `an effect sends a batch as one step, which a cancellation revokes`() async {
    let states = RecordedValues<[Int]>()
    let factory = StoreFactory<[Int], Int>(
      initialState: [],
      feature: Feature(
        effects: { _, action in
          switch action {
          case 1: Effect<String>.send(batch: ["2", "3"]).map { Int($0)! }
          case 9: .send(batch: [])
          default: .none
          }
        },
        stateEffects: [StateEffect(onChange: \.last) { state in state.last == 5 ? .send(batch: [7, 8]) : .none }],
        reducer: appending
      ),
      settings: TreeSettings(executor: executor)
    )
    let store = factory.rootStore()
    executor.run()
    store.subscribe(observer: .recording(in: states))
    await store.perform(1)
    store.dispatch(9)
    executor.run()
    #expect(states.values == [[], [1], [1, 2, 3], [1, 2, 3, 9]])
    // The next change comes before the batch of the first one has its turn.
    store.dispatch(5)
    store.dispatch(6)
    executor.run()
    #expect(factory.state == [1, 2, 3, 9, 5, 6])
  }

  // MARK: Changes with the value before

  @Test func `an effect of a change receives the previous value, and compares changes as specified`() {
    let changes = RecordedValues<[Int]>()
    let factory = StoreFactory<Int, Int>(
      initialState: 0,
      feature: Feature(
        stateEffects: [
          StateEffect(onChange: { $0 }, by: { abs($0 - $1) < 10 }, mode: .parallel) { old, state in
            changes.append([old, state])
            return .none
          }
        ],
        reducer: { state, action in state += action }
      ),
      settings: TreeSettings(executor: executor)
    )
    executor.run()
    for number in [6, 6, 1, 9, -30] {
      factory.rootStore().dispatch(number)
      executor.run()
    }
    #expect(changes.values == [[0, 12], [12, 22], [22, -8]])
  }

  // MARK: Canceling everything

  /// Begins five tasks, performs an action, and returns how many are left.
  func tasksLeft(after action: WholeAction) -> Int {
    let factory = makeFactory()
    let store = factory.rootStore()
    for start in [.editor(100), .optional(100), .element(1, 100), .element(2, 100), .add(100)] as [WholeAction] {
      store.dispatch(start)
    }
    executor.run()
    #expect(clock.sleepers == 5)
    store.dispatch(action)
    executor.run()
    defer { store.cancelAllTasks() }
    return clock.sleepers
  }

  @Test func `cancelAll reaches the tasks of the feature, and those of a place and below it`() {
    #expect(tasksLeft(after: .cancelAll) == 0)
    #expect(tasksLeft(after: .cancelEditor) == 3)
    #expect(tasksLeft(after: .cancelElements) == 3)
    #expect(tasksLeft(after: .cancelElement(2)) == 4)
    #expect(tasksLeft(after: .cancelElement(3)) == 5)
  }

  @Test func `cancelAll of a part reaches features that are scoped within it, and no others`() {
    struct Inner: Sendable { var count = 0 }
    struct Middle: Sendable {
      var inner = Inner()
      var other = Inner()
    }
    struct Outer: Sendable {
      var middle = Middle()
      var second = Middle()
    }
    let inner = Feature<Inner, Int>(effects: { [clock] _, action in
      action > 0 ? .run { _ in try await clock.sleep(for: .seconds(9)) } : .none
    })
    let middle = Feature<Middle, Int>.combined(
      inner.scoped(to: \.inner, action: { $0 }, extract: { $0 }),
      inner.scoped(to: \.other, action: { $0 }, extract: { $0 }),
      Feature<Middle, Int>(effects: { _, action in action == -1 ? .cancelAll() : .none })
    )
    let outer = Feature<Outer, Int>.combined(
      middle.scoped(to: \.middle, action: { $0 }, extract: { $0 > -2 ? $0 : nil }),
      middle.scoped(to: \.second, action: { $0 }, extract: { $0 > 0 ? $0 : nil }),
      Feature<Outer, Int>(effects: { _, action in action == -2 ? .cancelAll(at: .part(\Outer.second)) : .none })
    )
    let factory = StoreFactory(
      initialState: Outer(),
      feature: outer,
      settings: TreeSettings(clock: clock, executor: executor)
    )
    let store = factory.rootStore()
    store.dispatch(1)
    executor.run()
    #expect(clock.sleepers == 4)
    store.dispatch(-2)
    executor.run()
    #expect(clock.sleepers == 2)
    store.dispatch(1)
    executor.run()
    #expect(clock.sleepers == 6)
    store.dispatch(-1)
    executor.run()
    #expect(clock.sleepers == 2)
    store.cancelAllTasks()
    executor.run()
    withExtendedLifetime(factory) {}
  }
}
