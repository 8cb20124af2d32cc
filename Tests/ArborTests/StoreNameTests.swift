import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Names in reports")
struct StoreNameTests {
  private struct Unnamed: Sendable {}
  private struct UploadRefusal: Error {}

  #if DEBUG
    /// The reports about three stores of a tree that is gone: the root's, a scope's and a child's.
    private static func useAfterRelease(named name: String?, _ sentence: String) -> [String] {
      ExpectedReports.collect(sentence) {
        var factory: StoreFactory<Unnamed, Int>? = StoreFactory(
          initialState: Unnamed(), settings: TreeSettings(name: name)
        ) { _, _ in }
        var child = factory?.childStore(initialState: [1], stateMapping: { $1 }, reducer: { $0.append($1) })
        let (root, scope) = (factory!.rootStore(), factory!.scopeStore { _ in "a part" })
        let childStore = child!.store()
        (factory, child) = (nil, nil)
        root.dispatch(1)
        scope.dispatch(1)
        childStore.dispatch(1)
      }
    }

    @Test func `L4 a report names a store by its factory's name, otherwise by its state's type`() {
      let named = StoreNameTests.useAfterRelease(named: "The shop of L4", "The shop of L4")
      let endings = [
        "(The shop of L4)", "(a store of String in The shop of L4)", "(a store of Array<Int> in The shop of L4)",
      ]
      #expect(zip(named, endings).allSatisfy { $0.hasSuffix($1) } && named.count == 3, "\(named)")
      let unnamed = StoreNameTests.useAfterRelease(named: nil, "Unnamed)")
      let types = ["(a store of Unnamed)", "(a store of String in Unnamed)", "(a store of Array<Int> in Unnamed)"]
      #expect(zip(unnamed, types).allSatisfy { $0.hasSuffix($1) } && unnamed.count == 3, "\(unnamed)")
    }
  #endif

  @Test func `S3 a misuse that stops the program names the tree's root`() async {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let store = Protected<Store<Int, Int>?>(nil)
      let factory = StoreFactory<Int, Int>(initialState: 0, settings: TreeSettings(name: "Shop")) { state, action in
        state = action + (store.withLock { $0 }?.state ?? 0)
      }
      store.withLockInAsync { $0 = factory.rootStore() }
      await factory.dispatchAndWait(1)
    }
    let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
    #expect(text.contains("read inside a reducer") && text.contains("(Shop)"), "\(text)")
  }

  @Test func `the line about an effect that failed names the state effect and the store`() async {
    let number = ExpectedReports.begin(["UploadRefusal()"])
    let executor = ManualExecutor()
    let line: UInt = #line + 5
    let factory = StoreFactory<Bool, Bool>(
      initialState: false,
      feature: Feature(
        effects: { _, action in action ? .run(key: "load") { _ in throw UploadRefusal() } : .none },
        stateEffects: [StateEffect(while: { !$0 }) { _ in .run { _ in throw UploadRefusal() } }],
        reducer: { $0 = $1 }
      ),
      settings: TreeSettings(name: "Shop", executor: executor)
    )
    await executor.settle()
    factory.dispatch(true)
    await executor.settle()
    #expect(
      ExpectedReports.end(number) == [
        "Arbor: the state effect at ArborTests/StoreNameTests.swift:\(line) failed: UploadRefusal() (Shop)",
        "Arbor: an effect with the key load failed: UploadRefusal() (Shop)",
      ]
    )
  }

  @Test func `a state effect of a store of commits is named by the line that declares it`() async {
    let (clock, executor) = (TestClock(), ManualExecutor())
    var job = JobState()
    job.run(delay: .seconds(1))
    let line: UInt = #line + 3
    let store = CommitStore(
      initialState: job,
      feature: Feature(stateEffects: [StateEffect(at: \.self) { _ in .none }]),
      settings: TreeSettings(clock: clock, executor: executor)
    )
    let effect = "the state effect at ArborTests/StoreNameTests.swift:\(line)"
    #expect(await store.settled() == ["a task with no key, started by \(effect)"])
    clock.advance(by: .seconds(1))
    executor.run()
    #expect(await store.settled() == [])
    withExtendedLifetime(executor) {}
  }
}
