import Arbor
import ArborTesting
import Testing

@Suite("Reports of a test store about a state")
struct StateFailureTests {
  private func failure(
    _ action: ShopAction,
    in shop: Shop = Shop(),
    _ change: ((inout Shop) throws -> Void)? = nil
  ) async -> String {
    await onlyFailure {
      let store = TestStore(initialState: shop, reducer: shopReducer)
      await store.send(action, change)
      await store.finish()
    }
  }

  @Test func `a different field is shown`() async {
    #expect(
      await failure(.visit) { $0.visits = 2 } == """
        The state after .visit is not the expected one.

        Expected: the previous state, as the closure changes it
        Happened: 1 part differs, expected → happened:
          visits: 2 → 1
        To fix this, make all changes of the reducers in the closure, or fix the reducers.
        """
    )
  }

  @Test func `a nested field and a forgotten one are shown`() async {
    #expect(
      await failure(.add("tea", price: 3)) { $0.basket.items = ["coffee"] } == """
        The state after .add("tea", price: 3) is not the expected one.

        Expected: the previous state, as the closure changes it
        Happened: 2 parts differ, expected → happened:
          basket.items[0]: "coffee" → "tea"
          basket.prices["tea"]: + 3
        To fix this, make all changes of the reducers in the closure, or fix the reducers.
        """
    )
  }

  @Test func `the payload of an enum is shown`() async {
    #expect(
      await failure(.pay(card: 7)) { $0.payment = .card(number: 8) }
        == unexpected(".pay(card: 7)", "payment.card.number: 8 → 7")
    )
    #expect(
      await failure(.pay(card: 7)) { $0.payment = .none }
        == unexpected(".pay(card: 7)", "payment: .none → .card(number: 7)")
    )
  }

  @Test func `an optional is shown`() async {
    #expect(
      await failure(.coupon("half")) { $0.coupon = "full" }
        == unexpected(#".coupon("half")"#, #"coupon: "full" → "half""#)
    )
    #expect(
      await failure(.coupon("half")) { $0.coupon = nil }
        == unexpected(#".coupon("half")"#, #"coupon: nil → "half""#)
    )
    #expect(
      await failure(.coupon(nil), in: Shop(coupon: "full")) { $0.coupon = "half" }
        == unexpected(".coupon(nil)", #"coupon: "half" → nil"#)
    )
  }

  @Test func `an element of an array and an entry of a dictionary are shown`() async {
    let full = Shop(basket: Shop.Basket(items: ["tea", "milk"], prices: ["tea": 3]))
    #expect(
      await failure(.loaded(["tea", "rum"]), in: full) { $0.basket.items[1] = "gin" }
        == unexpected(#".loaded(["tea", "rum"])"#, #"basket.items[1]: "gin" → "rum""#)
    )
    #expect(
      await failure(.loaded(["tea"]), in: full) { $0.basket.items = ["tea", "milk"] }
        == unexpected(#".loaded(["tea"])"#, #"basket.items[1]: - "milk""#)
    )
    #expect(
      await failure(.add("tea", price: 4), in: full) {
        $0.basket.items.append("tea")
        $0.basket.prices["tea"] = 5
        $0.basket.prices["rum"] = 1
      }
        == unexpected(
          #".add("tea", price: 4)"#,
          #"basket.prices["rum"]: - 1"#,
          #"basket.prices["tea"]: 5 → 4"#
        )
    )
  }

  /// The full text of a failure about an unexpected state.
  private func unexpected(_ action: String, _ differences: String...) -> String {
    """
    The state after \(action) is not the expected one.

    Expected: the previous state, as the closure changes it
    Happened: \(differences.count == 1 ? "1 part differs" : "\(differences.count) parts differ"), expected → happened:
    \(differences.map { "  " + $0 }.joined(separator: "\n"))
    To fix this, make all changes of the reducers in the closure, or fix the reducers.
    """
  }

  @Test func `a change without a closure is a failure`() async {
    #expect(
      await failure(.visit) == """
        .visit changed the state, but no change was expected.

        Expected: the state as it was
        Happened: 1 part differs, expected → happened:
          visits: 0 → 1
        To fix this, assert the changes in a closure, or fix the reducer.
        """
    )
  }

  @Test func `a closure that changes nothing is a failure if nothing changes`() async {
    #expect(
      await failure(.look) { $0.visits = 0 } == """
        .look was expected to change the state, but the closure changes nothing.

        Expected: a change
        Happened: neither the reducers nor the closure changed the state
        To fix this, remove the closure.
        """
    )
  }

  @Test func `a closure that throws is a failure`() async {
    #expect(
      await failure(.visit) { _ in throw CancellationError() } == """
        The closure with the expectation for .visit threw an error.

        Expected: the previous state, as the closure changes it
        Happened: CancellationError()
        To fix this, fix the closure, or the value that it unwraps.
        """
    )
  }

  @Test func `the test continues with the actual state`() async {
    let found = await failures {
      let store = TestStore(initialState: Shop(), reducer: shopReducer)
      await store.send(.visit) { $0.visits = 7 }
      await store.send(.visit) { $0.visits = 2 }
      #expect(store.state.visits == 2)
      await store.finish()
    }
    #expect(found.count == 1)
  }

  @Test func `each failure is recorded once, at the caller's place`() async {
    let found = await failures {
      let store = TestStore(initialState: Shop(), reducer: shopReducer)
      await store.send(.visit)
      await store.send(.visit) { _ in }
      await store.finish()
    }
    let lines: [UInt] = [#line - 4, #line - 3]
    #expect(found.map(\.place.line) == lines)
    #expect(found.allSatisfy { "\($0.place.fileID)" == #fileID })
  }

  // MARK: Values that are compared in their own way

  @Test func `equal values that differ are reported as a warning`() async {
    struct Liar: Sendable, Equatable {
      var id = 1
      var name = "a"
      static func == (left: Liar, right: Liar) -> Bool { left.id == right.id }
    }
    let found = await failures {
      let store = TestStore(initialState: Liar()) { (liar: inout Liar, name: String) in liar.name = name }
      await store.send("b")
      await store.send("c") { $0.name = "c" }
      await store.finish()
    }
    #expect(found.map(\.failure.severity) == [.warning])
    #expect(
      found.first?.failure.text == """
        The state after "b" equals the expected one by `==`, but differs from it.

        Expected: equal states to have equal parts
        Happened: 1 part differs, expected → happened:
          name: "a" → "b"
        To fix this, compare these parts in `==`, or ignore this if they do not matter: the test uses `==`.
        """
    )
  }

  @Test func `unequal values that show no difference are a failure`() async {
    final class Token: Sendable {}
    struct Session: Sendable, Equatable {
      var token = Token()
      static func == (left: Session, right: Session) -> Bool { left.token === right.token }
    }
    let text = await onlyFailure {
      let store = TestStore(initialState: Session()) { (session: inout Session, _: Int) in session.token = Token() }
      await store.send(1)
      await store.finish()
    }
    #expect(
      text == """
        1 changed the state, but no change was expected.

        Expected: the state as it was
        Happened: a state that is unequal by `==`, although no visible part differs: another object, or a number that is NaN
        To fix this, assert the changes in a closure, or fix the reducer.
        """
    )
  }

  @Test func `an object in the state is compared by the state's own equality`() async {
    final class Account: Sendable, Equatable {
      let balance: Int
      init(_ balance: Int) { self.balance = balance }
      static func == (left: Account, right: Account) -> Bool { left.balance == right.balance }
    }
    struct Bank: Equatable, Sendable {
      var account = Account(1)
    }
    let found = await failures {
      let store = TestStore(initialState: Bank()) { (bank: inout Bank, amount: Int) in bank.account = Account(amount) }
      await store.send(1)
      await store.send(2) { $0.account = Account(2) }
      await store.send(3) { $0.account = Account(4) }
      await store.finish()
    }
    #expect(found.map(\.failure.text) == [unexpected("3", "account.balance: 4 → 3")])
  }

  @Test func `stamped values are equal if their content is equal`() async {
    struct Library: Equatable, Sendable {
      @Stamped var books: [String] = []
      var isOpen = false
    }
    let found = await failures {
      let store = TestStore(initialState: Library()) { (library: inout Library, book: String) in
        library.books.append(book)
      }
      await store.send("a") { $0.books = ["a"] }
      await store.send("b") { $0.books = ["a", "c"] }
      await store.finish()
    }
    #expect(found.map(\.failure.text) == [unexpected(#""b""#, #"books[1]: "c" → "b""#)])
  }
}
