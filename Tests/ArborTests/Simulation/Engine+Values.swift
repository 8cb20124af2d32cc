import Arbor
import Dispatch

/// A derived value of the engine, as the number that it shows.
protocol SimulatedValue: AnyObject {
  var number: Int { get }

  /// The tree where it is computed.
  var mailbox: Mailbox { get }

  /// The value as one that others can be combined with; nil if it is combined itself.
  var input: Derived<Int>? { get }

  func observe(_ delivery: Delivery, initial: Bool, _ body: @escaping @Sendable (Int) -> Void) -> StoreSubscription
  func map(_ project: @escaping @Sendable (Int) -> Int) -> Derived<Int>
}

final class TypedValue<Value: Sendable>: SimulatedValue {
  private let derived: Derived<Value>
  private let show: @Sendable (Value) -> Int
  let mailbox: Mailbox

  init(_ derived: Derived<Value>, in mailbox: Mailbox, _ show: @escaping @Sendable (Value) -> Int) {
    self.derived = derived
    self.mailbox = mailbox
    self.show = show
  }

  var number: Int { show(derived.value) }
  var input: Derived<Int>? { derived as? Derived<Int> }

  func observe(_ delivery: Delivery, initial: Bool, _ body: @escaping @Sendable (Int) -> Void) -> StoreSubscription {
    derived.observe(initial: initial, on: delivery.storeDelivery) { [show] (value: Value) in body(show(value)) }
  }

  func map(_ project: @escaping @Sendable (Int) -> Int) -> Derived<Int> {
    derived.derived { [show] value in project(show(value)) }
  }
}

/// Derived values and observations.
extension Engine {
  func derive(_ number: Int, _ store: Int, _ modulus: Int) {
    guard deriveds[number] == nil, let store = stores[store] else { return }
    let token = EngineToken(Token(number: number), in: self)
    read(in: store.mailbox) {
      let derived = store.derive { [unowned self] state in
        withExtendedLifetime(token) {
          note(.computed, number, state.digest.count)
          return Int(state.digest.all % UInt64(modulus))
        }
      }
      if let derived { deriveds[number] = TypedValue(derived, in: store.mailbox) { $0 } }
    }
  }

  func combine(_ number: Int, _ first: Int, _ second: Int) {
    guard deriveds[number] == nil, let first = deriveds[first], let one = first.input else { return }
    guard let other = deriveds[second]?.input else { return }
    read(in: first.mailbox) {
      let derived = Derived.combined(one, other)
      deriveds[number] = TypedValue(derived, in: first.mailbox) { $0.0 * 100 + $0.1 }
    }
  }

  func map(_ number: Int, _ base: Int, _ modulus: Int) {
    guard deriveds[number] == nil, let base = deriveds[base] else { return }
    let token = EngineToken(Token(number: number), in: self)
    read(in: base.mailbox) {
      let derived = base.map { [unowned self] value in
        withExtendedLifetime(token) {
          note(.computed, number, Int32(value))
          return value % modulus
        }
      }
      deriveds[number] = TypedValue(derived, in: base.mailbox) { $0 }
    }
  }

  func observe(_ number: Int, _ source: Source, _ delivery: Delivery, initial: Bool, _ token: Token) {
    guard observations[number] == nil else { return }
    switch source {
    case .store(let base):
      guard let store = stores[base] else { return }
      let token = EngineToken(token, in: self)
      observations[number] = store.observe(delivery, initial: initial) { [unowned self, tree = store.tree] state in
        withExtendedLifetime(token) { hear(number, in: tree, state.digest.count, state.digest.all) }
      }
    case .derived(let base):
      guard let derived = deriveds[base] else { return }
      let token = EngineToken(token, in: self)
      let tree = executor.number(of: derived.mailbox)
      observations[number] = derived.observe(delivery, initial: initial) { [unowned self] value in
        withExtendedLifetime(token) { hear(number, in: tree, Int32(value), 0) }
      }
    }
  }

  private func hear(_ number: Int, in tree: Int, _ count: Int32, _ digest: UInt64) {
    note(.heard, number, count, digest)
    react(to: latest[tree], at: Place(.observation, number))
  }
}

extension Delivery {
  var storeDelivery: StoreDelivery {
    switch self {
    case .storeQueue: .storeQueue
    case .each: .each(on: .global())
    case .latest: .latest(on: .global())
    case .latestAtMostEvery(let interval): .latest(on: .global(), atMostEvery: .seconds(interval))
    }
  }
}
