import Arbor
import ArborDevTools
import ArborTesting
import Foundation
import TestSupport
import Testing

/// While another moment is shown, work that follows waiting actions keeps its place after them.
@Suite("Work that follows waiting actions while another moment is shown")
struct WaitingActionTests {
  private struct Item: Identifiable, Sendable {
    let id: Int
  }

  private struct Plain: Sendable {}

  private struct Shop: Sendable {
    var actions: [String] = []
    var plain: Plain?
    var item: Item?
  }

  private enum Action: Sendable {
    case note(String)
    case makePlain
    case removePlain
    case select(Int)
    case never
  }

  private static func reduce(_ shop: inout Shop, _ action: Action) {
    switch action {
    case .note(let text): shop.actions.append(text)
    case .makePlain: shop.plain = Plain()
    case .removePlain: shop.plain = nil
    case .select(let id): shop.item = Item(id: id)
    case .never: break
    }
  }

  private let recorder = Recorder<Shop, Action>()

  private func makeFactory(
    initialState: Shop = Shop(),
    effects: (@Sendable (Shop, Action) -> Effect<Action>)? = nil
  ) -> StoreFactory<Shop, Action> {
    StoreFactory(
      initialState: initialState,
      feature: Feature(effects: effects, reducer: Self.reduce),
      settings: TreeSettings(monitors: [recorder])
    )
  }

  /// Starts a task of a store that runs until it is canceled.
  private func startTask(of store: Store<some Sendable, Int>) -> StoreTask<Void> {
    store.task(key: "task") { _ in await cancellation() }
  }

  private func plain(of factory: StoreFactory<Shop, Action>) -> Store<Plain, Int> {
    factory.scope(toOptional: \.plain) { _ in .never }
  }

  private func item(of factory: StoreFactory<Shop, Action>) -> Store<Item, Int> {
    factory.scope(toOptional: \.item) { _ in .never }
  }

  @Test func `F3 a task whose part a waiting action makes continues when the present is shown again`() throws {
    let factory = makeFactory()
    factory.dispatchAndWait(.note("first"))
    try recorder.travel(to: 0)
    factory.dispatch(.makePlain)
    let task = startTask(of: plain(of: factory))
    recorder.resume()
    #expect(factory.state.plain != nil)
    #expect(plain(of: factory).isRunning("task"))
    factory.dispatchAndWait(.removePlain)
    #expect(!plain(of: factory).isRunning("task"))
    withExtendedLifetime(task) {}
  }

  @Test func `F3 a task belongs to the part that an earlier waiting action selects`() throws {
    let factory = makeFactory(initialState: Shop(item: Item(id: 1)))
    let item = item(of: factory)
    factory.dispatchAndWait(.note("first"))
    try recorder.travel(to: 0)
    factory.dispatch(.select(2))
    let task = startTask(of: item)
    recorder.resume()
    #expect(factory.state.item?.id == 2)
    #expect(item.isRunning("task"))
    factory.dispatchAndWait(.select(3))
    #expect(!item.isRunning("task"))
    withExtendedLifetime(task) {}
  }

  @Test func `O2 a cancellation reaches the task of an action that waits before it`() throws {
    let factory = makeFactory { _, action in
      guard case .note = action else { return .none }
      return .run(key: "note") { _ in await cancellation() }
    }
    factory.dispatchAndWait(.makePlain)
    try recorder.travel(to: 0)
    factory.dispatch(.note("waits"))
    _ = factory.state
    factory.rootStore().cancel("note")
    recorder.resume()
    #expect(factory.state.actions == ["waits"])
    #expect(!factory.rootStore().isRunning("note"))
  }

  @Test func `O2 an added interceptor judges no earlier waiting action; a removed one judges those before its removal`()
    throws
  {
    let factory = makeFactory()
    let drops = Interceptor<Shop, Action> { _, _ in .drop }
    factory.dispatchAndWait(.note("first"))
    try recorder.travel(to: 0)
    factory.dispatch(.note("before"))
    let added = factory.add(interceptor: drops)
    factory.dispatch(.note("during"))
    added.cancel()
    factory.dispatch(.note("after"))
    recorder.resume()
    #expect(factory.state.actions == ["first", "before", "after"])
  }

  @Test func `O2 an observer of activities receives none that was emitted earlier and waits`() throws {
    let factory = makeFactory()
    factory.dispatchAndWait(.note("first"))
    try recorder.travel(to: 0)
    factory.emit("before")
    let heard = RecordedValues<String>()
    let subscription = factory.observe(activities: String.self) { heard.append($0) }
    factory.emit("after")
    recorder.resume()
    _ = factory.state
    #expect(heard.values == ["after"])
    withExtendedLifetime(subscription) {}
  }

  @Test func `O2 a waiting cancellation does not cancel tasks that start after it`() throws {
    let factory = makeFactory()
    factory.dispatchAndWait(.note("first"))
    try recorder.travel(to: 0)
    factory.dispatch(.note("waits"))
    let root = factory.rootStore()
    _ = root.state
    root.cancel("task")
    root.subscribe(
      observer: Observer { _ in
        root.task(key: "task") { _ in await cancellation() }
        return .dead
      }
    )
    #expect(root.isRunning("task"))
    recorder.resume()
    #expect(root.isRunning("task"))
    root.cancel("task")
  }

  @Test func `F3 tasks that start in a moment end with it if the present has no value for them`() throws {
    let factory = makeFactory()
    factory.dispatchAndWait(.makePlain)
    factory.dispatchAndWait(.removePlain)
    try recorder.travel(to: 1)
    let plain = plain(of: factory)
    let tasks = ["a", "b"].map { key in plain.task(key: key) { _ in await cancellation() } }
    #expect(plain.isRunning("a") && plain.isRunning("b"))
    recorder.resume()
    #expect(!plain.isRunning("a") && !plain.isRunning("b"))
    withExtendedLifetime(tasks) {}
  }
}
