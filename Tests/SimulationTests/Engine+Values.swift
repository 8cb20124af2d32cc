import Arbor
import Dispatch

/// A derived value of the engine, as a number.
protocol SimulatedValue: AnyObject {
  var number: Int { get }

  /// The trees that may change it. The last one is the tree where it is computed.
  var trees: [Tree] { get }

  /// The value as an input of combinations; nil if it is itself combined.
  var input: Derived<Int>? { get }

  func observe(_ delivery: StoreDelivery, initial: Bool, _ body: @escaping @Sendable (Int) -> Void) -> StoreSubscription
  func observe(_ delivery: MainDelivery, initial: Bool, _ body: @escaping @Sendable (Int) -> Void) -> StoreSubscription
  func map(_ project: @escaping @Sendable (Int) -> Int) -> Derived<Int>
}

final class TypedValue<Value: Sendable>: SimulatedValue {
  private let derived: Derived<Value>
  private let show: @Sendable (Value) -> Int
  let trees: [Tree]

  init(_ derived: Derived<Value>, in trees: [Tree], _ show: @escaping @Sendable (Value) -> Int) {
    self.derived = derived
    self.trees = trees
    self.show = show
  }

  var number: Int { show(derived.value) }
  var input: Derived<Int>? { derived as? Derived<Int> }

  func observe(_ delivery: StoreDelivery, initial: Bool, _ body: @escaping @Sendable (Int) -> Void) -> StoreSubscription
  {
    derived.observe(initial: initial, on: delivery) { [show] (value: Value) in body(show(value)) }
  }

  func observe(_ delivery: MainDelivery, initial: Bool, _ body: @escaping @Sendable (Int) -> Void) -> StoreSubscription
  {
    derived.observe(initial: initial, on: delivery) { [show] (value: Value) in body(show(value)) }
  }

  func map(_ project: @escaping @Sendable (Int) -> Int) -> Derived<Int> {
    derived.derived { [show] value in project(show(value)) }
  }
}

extension SimulatedValue {
  /// The tree where it is computed.
  var tree: Tree { trees[trees.count - 1] }
}

/// Derived values and observations.
extension Engine {
  func derive(_ number: Int, _ store: Int, _ modulus: Int) {
    guard deriveds[number] == nil, let store = stores[store] else { return }
    let token = EngineToken(Token(number: number), in: self)
    read(in: store.storeTree) {
      let derived = store.derive { [unowned self] state in
        withExtendedLifetime(token) {
          note(.computed, number, state.digest.count)
          return Int(state.digest.all % UInt64(modulus))
        }
      }
      if let derived { deriveds[number] = TypedValue(derived, in: [store.storeTree]) { $0 } }
    }
  }

  func deriveSelected(_ number: Int, _ selector: Int, _ store: Int) {
    guard deriveds[number] == nil, let store = stores[store] else { return }
    let selector = self.selector(selector)
    read(in: store.storeTree) {
      if let derived = store.derive(selector) { deriveds[number] = TypedValue(derived, in: [store.storeTree]) { $0 } }
    }
  }

  func select(_ number: Int, _ store: Int) {
    guard let store = stores[store] else { return }
    let selector = self.selector(number)
    read(in: store.storeTree) { note(.answered, number, Int32(store.select(selector) ?? -1)) }
  }

  private func selector(_ number: Int) -> StateSelector<SimulatedState, Int> {
    if let selector = selectors[number] { return selector }
    let token = EngineToken(Token(number: number), in: self)
    let selector = StateSelector<SimulatedState, Int>(\.half) { [unowned self] half in
      withExtendedLifetime(token) {
        note(.selected, number, Int32(half))
        return half / 2
      }
    }
    selectors[number] = selector
    return selector
  }

  func combine(_ number: Int, _ first: Int, _ second: Int) {
    guard deriveds[number] == nil, let first = deriveds[first], let one = first.input else { return }
    guard let second = deriveds[second], let other = second.input else { return }
    read(in: first.tree) {
      let derived = Derived.combined(one, other)
      deriveds[number] = TypedValue(derived, in: second.trees + first.trees) { $0.0 * 100 + $0.1 }
    }
  }

  func map(_ number: Int, _ base: Int, _ modulus: Int) {
    guard deriveds[number] == nil, let base = deriveds[base] else { return }
    let token = EngineToken(Token(number: number), in: self)
    read(in: base.tree) {
      let derived = base.map { [unowned self] value in
        withExtendedLifetime(token) {
          note(.computed, number, Int32(value))
          return value % modulus
        }
      }
      deriveds[number] = TypedValue(derived, in: base.trees) { $0 }
    }
  }

  func observe(_ number: Int, _ source: Source, _ delivery: Delivery, initial: Bool, _ token: Token) {
    guard observations[number] == nil else { return }
    switch source {
    case .store(let base):
      guard let store = stores[base], !waitsInVain(for: [store.storeTree], delivery, initial) else { return }
      let token = EngineToken(token, in: self)
      let body: @Sendable (SimulatedState) -> Void = { [unowned self, tree = store.tree] state in
        withExtendedLifetime(token) { hear(number, in: tree, state.digest.count, state.digest.all) }
      }
      add(
        delivery.mainDelivery.map { store.observe($0, initial: initial, body) }
          ?? store.observe(delivery.storeDelivery, initial: initial, body),
        number
      )
    case .derived(let base):
      guard let derived = deriveds[base], !waitsInVain(for: derived.trees, delivery, initial) else { return }
      let token = EngineToken(token, in: self)
      let tree = executor.number(of: derived.tree)
      let body: @Sendable (Int) -> Void = { [unowned self] value in
        withExtendedLifetime(token) { hear(number, in: tree, Int32(value), 0) }
      }
      add(
        delivery.mainDelivery.map { derived.observe($0, initial: initial, body) }
          ?? derived.observe(delivery.storeDelivery, initial: initial, body),
        number
      )
    }
  }

  /// `true` if an observation would wait forever for its first state.
  private func waitsInVain(for trees: [Tree], _ delivery: Delivery, _ initial: Bool) -> Bool {
    guard initial, delivery == .storeQueue, !executor.isInsideAny else { return false }
    return trees.contains { executor.isBusy($0) }
  }

  private func add(_ observation: StoreSubscription, _ number: Int) {
    // During the wait for the first state, another thread may have made one.
    guard observations[number] == nil else { return observation.cancel() }
    observations[number] = observation
  }

  private func hear(_ number: Int, in tree: Int, _ count: Int32, _ digest: UInt64) {
    note(.heard, number, count, digest)
    react(to: latest[tree], at: Place(.observation, number))
  }
}

extension Delivery {
  var storeDelivery: StoreDelivery {
    switch self {
    case .storeQueue, .main, .mainAtMostEvery: .storeQueue
    case .each: .each(on: .global())
    case .latest: .latest(on: .global())
    case .latestAtMostEvery(let interval): .latest(on: .global(), atMostEvery: .seconds(interval))
    }
  }

  /// The delivery on the main actor; nil for another queue.
  var mainDelivery: MainDelivery? {
    switch self {
    case .main: .main
    case .mainAtMostEvery(let interval): .main(atMostEvery: .seconds(interval))
    case .storeQueue, .each, .latest, .latestAtMostEvery: nil
    }
  }
}
