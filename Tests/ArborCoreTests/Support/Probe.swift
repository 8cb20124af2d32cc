import ArborCore
import ArborTesting
import TestSupport

/// Detects if anything is left of a store. It has one object each for the state, the reducer, the interceptor and the
/// observers, which only they hold.
final class Probe: Sendable {
  private let counter = Protected(0)

  var isAlive: Bool { counter.withLock { $0 } > 0 }

  func factory(on executor: ManualExecutor) -> StoreFactory<Object?, Int> {
    let (inInterceptor, inReducer) = (object(), object())
    let factory = StoreFactory<Object?, Int>(
      initialState: object(),
      interceptor: { _, _ in withExtendedLifetime(inInterceptor) {} },
      settings: TreeSettings(executor: executor),
      reducer: { _, _ in withExtendedLifetime(inReducer) {} }
    )
    observe(factory.rootStore())
    return factory
  }

  func child(of factory: StoreFactory<Object?, Int>) -> StoreObject<Object?, Int>? {
    let (inMapping, inReducer) = (object(), object())
    let child: StoreObject<Object?, Int> = factory.childStore(
      initialState: object(),
      stateMapping: { _, own in withExtendedLifetime(inMapping) { own } },
      reducer: { _, _ in withExtendedLifetime(inReducer) {} }
    )
    observe(child.store())
    return child
  }

  private func observe(_ store: Store<Object?, Int>) {
    let (inReturning, inCompleting, inProjection) = (object(), object(), object())
    store.subscribe(observer: Observer { _ in withExtendedLifetime(inReturning) { .active } })
    store.scope(to: { state in withExtendedLifetime(inProjection) { state } })
      .subscribe(observer: Observer { _, complete in withExtendedLifetime(inCompleting) { complete(.active) } })
  }

  private func object() -> Object {
    counter.withLock { $0 += 1 }
    return Object { [self] in counter.withLock { $0 -= 1 } }
  }
}
