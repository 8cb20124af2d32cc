import Arbor
import ArborTesting
import TestSupport
import Testing

/// Assigning values to parts of stores.
@Suite("Assign")
struct AssignTests {
  private struct Settings: Equatable, Sendable {
    var count = -1
    var other = -1
    var copy: Int?
    var title = ""
  }

  private let executor = ManualExecutor()

  @Test func `a value is assigned immediately, and after each change, as a separate mutation`() {
    let factory = StoreFactory.appending(on: executor)
    let names = RecordedValues<String>()
    let settings = CommitStore(
      initialState: Settings(),
      feature: Feature(
        interceptors: [
          Interceptor { mutation, _ in
            names.append(mutation.name)
            return .pass
          }
        ]
      )
    )
    factory.dispatch(1)
    let assigning = factory.derived(\.count).assign(to: settings.scope(at: \.count), named: "count")
    #expect(settings.state.count == 1)
    for action in 2...3 {
      factory.dispatchAndWait(action)
      #expect(settings.state == Settings(count: action))
    }
    #expect(names.values == ["count", "count", "count"])
    assigning.cancel()
    factory.dispatchAndWait(4)
    #expect(settings.state.count == 3)
  }

  @Test func `a store's part is assigned to another part of the same store without an endless loop`() {
    let settings = CommitStore(initialState: Settings())
    let assigning = settings.scopeStore(to: \.title.count).assign(to: settings.scope(at: \.count))
    #expect(settings.state.count == 0)
    settings.commit { $0.title = "Leaves" }
    #expect(settings.state == Settings(count: 6, title: "Leaves"))
    settings.commit { $0.count = 9 }
    #expect(settings.state.count == 9, "what else changes the part stays")
    withExtendedLifetime(assigning) {}
  }

  @Test(.reports("used after its owner was released"))
  func `an assignment does nothing while the part is nil, or once its owner is gone`() {
    let factory = StoreFactory.appending(on: executor)
    var settings = Optional(CommitStore(initialState: Settings()))
    weak let owner = settings
    let assigning = factory.derived(\.count).assign(to: settings!.scope(atOptional: \.copy))
    #expect(settings?.state.copy == nil)
    settings?.commit { $0.copy = 7 }
    factory.dispatchAndWait(1)
    #expect(settings?.state.copy == 1)
    settings = nil
    #expect(owner == nil)
    factory.dispatchAndWait(2)
    #expect(factory.state == [1, 2])
    assigning.cancel()
  }

  @Test func `two parts that are assigned to each other settle, even if both change at once`() {
    let settings = CommitStore(initialState: Settings(), settings: TreeSettings(executor: executor))
    let there = settings.scopeStore(to: \.count).assign(to: settings.scope(at: \.other))
    let back = settings.scopeStore(to: \.other).assign(to: settings.scope(at: \.count))
    executor.run()
    settings.commitLater { ($0.count, $0.other) = (1, 2) }
    #expect(comesToRest())
    #expect(settings.state.count == settings.state.other)
    withExtendedLifetime((there, back)) {}
  }

  @Test func `two stores that are assigned to each other settle, even if both change at once`() {
    let stores = (0..<2).map { _ in CommitStore(initialState: Settings(), settings: TreeSettings(executor: executor)) }
    let assigning = [(0, 1), (1, 0)].map { from, to in
      stores[from].scopeStore(to: \.count).assign(to: stores[to].scope(at: \.count))
    }
    executor.run()
    for (number, store) in stores.enumerated() { store.commitLater { $0.count = number } }
    #expect(comesToRest())
    #expect(stores[0].state == stores[1].state)
    withExtendedLifetime(assigning) {}
  }

  /// Runs steps until none waits, at most a hundred.
  private func comesToRest() -> Bool {
    for _ in 0..<100 where !executor.step() { return true }
    return false
  }
}
