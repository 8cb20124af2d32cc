import Arbor
import ArborTesting
import Testing

struct VaultTests {
  @Test func `all of it`() async {
    let store = TestStore(initialState: Vault(items: ["ring"], question: nil), feature: vault)
    await store.send(.clear)
    await store.receive(
      where: { if case .asked = $0 { true } else { false } },
      { $0.question = Vault.Question(text: "Really?", held: store.state.question!.held) }
    )
    await store.send(.answer(false)) { $0.question = nil }
    await store.send(.clear)
    await store.receive(
      where: { if case .asked = $0 { true } else { false } },
      { $0.question = Vault.Question(text: "Really?", held: store.state.question!.held) }
    )
    await store.send(.answer(true)) { $0.question = nil }
    await store.receive(.clear) { $0.items = [] }
    await store.finish()
  }
}
