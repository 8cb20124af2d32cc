import ArborEntities
import ArborTesting
import Testing

@testable import LibraryCore

@Suite struct LendingFeatureTests {
  private let store: TestStore<AppState, LendingAction>

  init() throws {
    store = TestStore(initialState: AppState(library: try .sample()), feature: lendingFeature)
  }

  @Test func `a book is lent, counted, and taken back`() async {
    await store.send(.lend(1, to: "Ann", until: .march(29))) {
      try $0.library.books.update(1) { $0.timesLent = 1 }
      $0.library.loans = [Loan(id: 1, person: "Ann", due: .march(29))]
    }
    await store.send(.return(1)) { $0.library.loans = [] }
    await store.send(.lend(1, to: "Bob", until: .march(30))) {
      try $0.library.books.update(1) { $0.timesLent = 2 }
      $0.library.loans = [Loan(id: 1, person: "Bob", due: .march(30))]
    }
    await store.finish()
  }

  @Test func `a lent book is refused, and not counted`() async {
    let loan = Loan(id: 1, person: "Ann", due: .march(29))
    await store.send(.lend(1, to: "Ann", until: .march(29))) {
      try $0.library.books.update(1) { $0.timesLent = 1 }
      $0.library.loans = [loan]
    }
    await store.send(.lend(1, to: "Bob", until: .march(30))) { $0.refusal = .lent(loan) }
    await store.finish()
  }

  @Test func `a missing book is neither lent nor taken back`() async {
    await store.send(.lend(9, to: "Ann", until: .march(29))) { $0.refusal = .noBook(9) }
    await store.send(.return(9))
    await store.finish()
  }

  @Test func `a book that is not lent is not taken back`() async {
    await store.send(.return(2)) { $0.refusal = .notLent(2) }
    await store.finish()
  }

  @Test func `a successful action removes the last refusal`() async {
    await store.send(.return(2)) { $0.refusal = .notLent(2) }
    await store.send(.lend(2, to: "Ann", until: .march(29))) {
      $0.refusal = nil
      try $0.library.books.update(2) { $0.timesLent = 1 }
      $0.library.loans = [Loan(id: 2, person: "Ann", due: .march(29))]
    }
    await store.finish()
  }

  @Test func `a refusal gives the reason`() {
    #expect("\(LibraryError.lent(Loan(id: 1, person: "Ann", due: .march(29))))" == "Ann has book 1 until 2026-03-29")
    #expect("\(LibraryError.noBook(9))" == "there is no book 9")
    #expect("\(LibraryError.notLent(2))" == "no one has borrowed book 2")
    #expect("\(LibraryError.noAuthor("Melville"))" == "there is no author \"Melville\"")
  }
}
