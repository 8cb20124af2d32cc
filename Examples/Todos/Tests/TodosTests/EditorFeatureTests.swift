import ArborTesting
import Testing

@testable import TodosCore

@Suite struct EditorFeatureTests {
  @Test func `the editor changes its draft`() async {
    let store = TestStore(initialState: Draft(id: 1, text: "a"), feature: editorFeature)
    await store.send(.text("b")) { $0.text = "b" }
    await store.finish()
  }
}
