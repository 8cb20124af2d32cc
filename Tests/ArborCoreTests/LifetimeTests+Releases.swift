import ArborCore
import ArborTesting
import TestSupport
import Testing

/// Laws of lifetime, for every order of release.
extension LifetimeTests {
  /// A factory with a child and a grandchild, each to be released when a test wants it.
  private final class Family {
    private var owners: [String: AnyObject] = [:]
    let stores: [Store<[Int], Int>]
    let freed: RecordedValues<String>

    init(on executor: ManualExecutor, reduced: RecordedValues<String> = RecordedValues()) {
      let freed = RecordedValues<String>()
      let inFactory = Object { freed.append("factory") }
      let inChild = Object { freed.append("child") }
      let inGrandchild = Object { freed.append("grandchild") }
      let factory = StoreFactory<[Int], Int>(
        initialState: [],
        settings: TreeSettings(executor: executor),
        reducer: { state, action in withExtendedLifetime(inFactory) { state.append(action) } }
      )
      let child = Family.child(of: factory.rootStore()) {
        withExtendedLifetime(inChild) { reduced.append("child") }
      }
      let grandchild = Family.child(of: child.store()) {
        withExtendedLifetime(inGrandchild) { reduced.append("grandchild") }
      }
      owners = ["factory": factory, "child": child, "grandchild": grandchild]
      stores = [factory.rootStore(), child.store(), grandchild.store()]
      self.freed = freed
    }

    func release(_ name: String) {
      owners[name] = nil
    }

    private static func child(
      of store: Store<[Int], Int>,
      reduce: @escaping @Sendable () -> Void
    ) -> StoreObject<[Int], Int> {
      store.childStore(initialState: 0, stateMapping: { above, _ in above }, reducer: { _, _ in reduce() })
    }
  }

  private static let orders = [
    ["factory", "child", "grandchild"], ["factory", "grandchild", "child"], ["child", "factory", "grandchild"],
    ["child", "grandchild", "factory"], ["grandchild", "factory", "child"], ["grandchild", "child", "factory"],
  ]

  /// The nodes freed after the release of each owner, for an order of releases: a node is freed with the last owner at
  /// or below it.
  private static func freed(by order: [String]) -> [[String]] {
    let generations = ["factory", "child", "grandchild"]
    return order.indices.map { last in
      let released = order[...last]
      return generations.indices.filter { generations[$0...].allSatisfy(released.contains) }.map { generations[$0] }
    }
  }

  // MARK: L1 and L2

  @Test(.reports("used after its owner was released"), arguments: orders)
  func `L1 L2 a node is freed at once with the last owner at or below it, in any order of release`(order: [String]) {
    let family = Family(on: executor)
    for store in family.stores {
      store.subscribe(observer: Observer { _ in .active })
      store.scope(to: \.count).subscribe(observer: Observer { _, complete in complete(.active) })
    }
    executor.run()
    for (name, freed) in zip(order, LifetimeTests.freed(by: order)) {
      family.release(name)
      #expect(Set(family.freed.values) == Set(freed), "\(name) released")
      #expect(family.stores.filter { $0.state == nil }.count == freed.count, "\(name) released")
    }
    #expect(executor.pending == 0)
  }

  @Test(.reports("used after its owner was released"), arguments: orders)
  func `L1 L2 a node is freed after the waiting work is reduced, in any order of release`(order: [String]) {
    let reduced = RecordedValues<String>()
    let family = Family(on: executor, reduced: reduced)
    let seen = RecordedValues<Int>()
    for store in family.stores { store.scope(to: \.count).subscribe(observer: .recording(in: seen)) }
    executor.run()
    for name in order {
      for store in family.stores { store.dispatch(1) }
      family.release(name)
    }
    #expect(family.freed.values == [])
    #expect(seen.values == [0, 0, 0])
    executor.run()
    #expect(Set(family.freed.values) == ["factory", "child", "grandchild"])
    #expect(seen.values == [0, 0, 0], "no observer of a released tree is called")
    let freed = [[]] + LifetimeTests.freed(by: order).dropLast()
    for name in ["child", "grandchild"] {
      let generations = name == "child" ? ["child", "grandchild"] : ["grandchild"]
      let expected = freed.reduce(0) { sum, freed in sum + generations.filter { !freed.contains($0) }.count }
      #expect(reduced.values.filter { $0 == name }.count == expected, "each accepted action once")
    }
  }

  @Test func `L1 a child keeps working when owners above and below it are gone`() {
    let family = Family(on: executor)
    let seen = RecordedValues<[Int]>()
    family.stores[0].subscribe(observer: .recording(in: seen))
    family.release("child")
    family.release("factory")
    for store in family.stores { store.dispatch(1) }
    executor.run()
    #expect(seen.values == [[], [1], [1, 1], [1, 1, 1]])
    let other = family.stores[1].childStore(initialState: 0, stateMapping: { $0 + [$1] }, reducer: { $0 += $1 })
    family.release("grandchild")
    other.dispatch(2)
    executor.run()
    #expect(other.state == [1, 1, 1, 2, 2])
    #expect(seen.values.last == [1, 1, 1, 2])
  }
}
