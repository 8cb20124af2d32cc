import Arbor
import ArborTesting
import TestSupport
import Testing

/// Activities that effects and tasks emit.
@Suite("Activities of effects")
struct EffectActivityTests {
  private struct Noted: Equatable, Sendable { let text: String }

  private enum Action: Equatable, Sendable {
    case note(String)
    case upload
    case uploaded
    case chain
    case cancel
    case part(Int)
  }

  let executor = ManualExecutor()
  let log = RecordedValues<String>()

  private func factory(_ effect: @escaping @Sendable (Action) -> Effect<Action>) -> StoreFactory<Int, Action> {
    StoreFactory(
      initialState: 0,
      feature: Feature(
        effects: { _, action in effect(action) },
        reducer: { [log] state, action in
          state += 1
          log.append("\(action)")
        }
      ),
      settings: TreeSettings(executor: executor)
    )
  }

  private func listen(_ name: String, at store: some StoreProtocol<some Sendable, Action>) -> StoreSubscription {
    store.observe(activities: Noted.self) { [log] noted in log.append("\(name) receives \(noted.text)") }
  }

  @Test func `an effect emits an activity at the store that declares it, after the waiting work`() {
    let factory = factory { action in
      if case .note(let text) = action { .emit(Noted(text: text)) } else { .none }
    }
    let listening = listen("root", at: factory)
    factory.dispatch(.note("a"))
    factory.dispatch(.uploaded)
    executor.run()
    #expect(log.values == ["note(\"a\")", "uploaded", "root receives a"])
    withExtendedLifetime(listening) {}
  }

  @Test func `emitting is merged, chained and mapped like any effect`() {
    let factory = factory { action in
      let part = Effect<Int>.merge(.emit(Noted(text: "first")), .send(1)).map(Action.part)
      return action == .chain ? .concatenate(part, .run { $0(.part(2)) }, .emit(Noted(text: "last"))) : .none
    }
    let listening = listen("root", at: factory)
    factory.dispatch(.chain)
    executor.run()
    #expect(log.values == ["chain", "root receives first", "part(1)", "part(2)", "root receives last"])
    withExtendedLifetime(listening) {}
  }

  @Test func `the body of an effect emits in order with its actions, even if mapped or at a child`() {
    let factory = factory { _ in .none }
    let child = factory.childStore(
      initialState: 0,
      stateMapping: { ($0, $1) },
      feature: Feature(
        effects: { (_: Int, action: Action) in
          let upload = Effect<Int>.run { dispatch, emit in
            for number in 1...2 {
              emit(Noted(text: "\(number)"))
              dispatch(number)
            }
          }
          return action == .upload ? upload.map(Action.part) : .none
        },
        reducer: { (_: inout Int, _: Action) in }
      )
    )
    let listening = [listen("root", at: factory), listen("child", at: child)]
    child.dispatch(.upload)
    executor.run()
    #expect(
      log.values == [
        "upload", "root receives 1", "child receives 1", "part(1)", "root receives 2", "child receives 2", "part(2)",
      ]
    )
    withExtendedLifetime(listening) {}
  }

  @Test func `a canceled effect emits nothing more, but earlier activities are delivered`() {
    let emits = RecordedValues<@Sendable (any Sendable) -> Void>()
    let factory = factory { action in
      switch action {
      case .upload:
        .run(key: "upload") { _, emit in
          emits.append(emit)
          emit(Noted(text: "before"))
        }
      case .cancel: .cancel("upload")
      default: .none
      }
    }
    let listening = listen("root", at: factory)
    factory.dispatch(.upload)
    executor.run()
    emits.values[0](Noted(text: "after its end"))
    executor.run()
    emits.values[0](Noted(text: "waiting"))
    factory.dispatch(.cancel)
    executor.run()
    emits.values[0](Noted(text: "cancelled"))
    executor.run()
    #expect(
      log.values == [
        "upload", "root receives before", "root receives after its end", "root receives waiting", "cancel",
      ]
    )
    withExtendedLifetime(listening) {}
  }

  @Test func `once the store's owner is gone, nothing is emitted, and nothing is kept alive`() {
    let emits = RecordedValues<@Sendable (any Sendable) -> Void>()
    var factory = Optional(factory { _ in .run { _, emit in emits.append(emit) } })
    weak let gone = factory
    factory?.dispatch(.upload)
    executor.run()
    factory = nil
    #expect(gone == nil)
    emits.values[0](Noted(text: "late"))
    executor.run()
    #expect(log.values == ["upload"])
  }

  @Test func `a task emits through its store`() async throws {
    let factory = factory { _ in .none }
    let listening = listen("root", at: factory)
    let store = factory.rootStore()
    let task = store.task { dispatch in
      store.emit(Noted(text: "in a task"))
      dispatch(.uploaded)
    }
    try await task.value
    executor.run()
    #expect(log.values == ["root receives in a task", "uploaded"])
    withExtendedLifetime(listening) {}
  }

  @Test func `a test store receives what effects emit`() async {
    let store = TestStore(
      initialState: 0,
      effects: { (_: Int, action: Action) in
        switch action {
        case .upload:
          .run { dispatch, emit in
            emit(Noted(text: "half"))
            dispatch(.uploaded)
          }
        case .uploaded: .emit(Noted(text: "done"))
        default: .none
        }
      },
      reducer: { (state: inout Int, _: Action) in state += 1 }
    )
    await store.send(.upload) { $0 = 1 }
    await store.receive(activity: Noted(text: "half"))
    await store.receive(.uploaded) { $0 = 2 }
    await store.receive(activity: Noted(text: "done"))
    await store.finish()
  }
}
