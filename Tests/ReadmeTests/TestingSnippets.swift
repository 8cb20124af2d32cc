import Arbor
import ArborTesting
import Testing

// The code of the articles about exhaustivity, clocks, and test stores of commits. Another test compares the texts.

private func saving(clock: any Clock<Duration>) -> Feature<[String], SavingAction> {
  Feature(
    effects: { _, action in
      switch action {
      case .save:
        .run(key: "save") { _ in try await clock.sleep(for: .seconds(5)) }.onFailure { _ in .notSaved }
      case .cancel: .cancel("save")
      case .notSaved: .none
      }
    },
    reducer: { log, action in log.append("\(action)") }
  )
}

private enum SavingAction: Equatable, Sendable {
  case save, cancel, notSaved
}

@MainActor
@Suite("Testing")
struct TestingSnippets {
  @Test func `a model commits and emits`() async {
    let store = TestStore(initialState: Settings())
    let model = SettingsModel(store: store.store())

    await store.during {
      model.rename()
    } expect: {
      $0.name = "Settings"
    }
    await store.receive(activity: Message(text: "Renamed"))
    await store.finish()
  }

  @Test func `only the results matter`() async {
    let store = TestStore(
      initialState: Search(),
      effects: searchEffects,
      clock: ImmediateClock(),
      exhaustivity: .off,
      reducer: searchReducer
    )
    await store.send(.type("tree"))
    await store.receive(.found(["about tree"])) { $0.results = ["about tree"] }
    await store.finish()
  }

  @Test func `saving can be canceled`() async {
    let clock = TestClock()
    let store = TestStore(initialState: [], feature: saving(clock: clock), clock: clock)

    await store.send(.save) { $0 = ["save"] }
    await store.send(.cancel) { $0.append("cancel") }
    await store.receive(.notSaved) { $0.append("notSaved") }
    await store.finish()
  }
}
