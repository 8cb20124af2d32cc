import Arbor
import ArborTesting
import Testing

@Test func smoke() {
  let executor = ManualExecutor()
  let factory = StoreFactory(initialState: 0, executor: executor) { (state: inout Int, action: Int) in state += action }
  factory.rootStore().dispatch(1)
  #expect(executor.pending == 1)
  let child = factory.childStore(initialState: "") { (s: inout String, a: Int) in s += "\(a)" }
  child.dispatch(5)
  executor.run()
  #expect(factory.state == 6)
  #expect(child.state?.1 == "5")
}
