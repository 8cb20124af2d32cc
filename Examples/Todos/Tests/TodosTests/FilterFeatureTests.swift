import ArborEntities
import ArborTesting
import Testing

@testable import TodosCore

@Suite struct FilterFeatureTests {
  @Test func `the last requested filter is used`() async {
    let store = TestStore(initialState: Filter.all, feature: filterFeature)
    await store.send(.show(.done)) { $0 = .done }
    await store.send(.show(.active)) { $0 = .active }
    await store.finish()
  }

  @Test func `a filter shows the items that match its name`() {
    let (active, done) = (Todo(id: 1, text: "a"), Todo(id: 2, text: "b", isDone: true))
    #expect(Filter.all.items(of: [done, active]) == [active, done])
    #expect(Filter.active.items(of: [done, active]) == [active])
    #expect(Filter.done.items(of: [done, active]) == [done])
  }
}
