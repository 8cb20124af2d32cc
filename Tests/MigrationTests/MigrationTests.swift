import Arbor
import XCTest

// Code as it was written for PureduxStore 1.1, in Swift 5 mode, with nothing but the import changed: actions behind a
// protocol that is not sendable, classes captured freely.

protocol Action {}

struct SetIndex: Action {
  let index: Int
}

struct SetTitle: Action {
  let title: String
}

struct SubState: Equatable {
  var title = ""
}

struct TestState: Equatable {
  var currentIndex = 0
  var subState = SubState()
  var optionalState: SubState?

  mutating func reduce(_ action: Action) {
    switch action {
    case let action as SetIndex: currentIndex = action.index
    case let action as SetTitle: subState.title = action.title
    default: break
    }
  }
}

struct LocalState {
  var count = 0

  mutating func reduce(_ action: Action) {
    count += 1
  }
}

final class Presenter {
  var titles: [String] = []
  var state: TestState?
  var composition: (TestState, LocalState)?
  var dispatched: [Action] = []
  var observers: [Observer<TestState>] = []

  func show(_ state: SubState) {
    titles.append(state.title)
  }
}

final class MigrationTests: XCTestCase {
  // Against hanging alone: a busy machine may take its time.
  let timeout: TimeInterval = 3600

  func testRootStoreReceivesActions() {
    let factory = StoreFactory<TestState, Action>(
      initialState: TestState(),
      reducer: { state, action in state.reduce(action) }
    )
    let store = factory.rootStore()
    let expectation = expectation(description: "the state that was dispatched")
    let presenter = Presenter()

    let observer = Observer<TestState> { state, complete in
      presenter.state = state
      if state.currentIndex == 2 {
        expectation.fulfill()
        complete(.dead)
      } else {
        complete(.active)
      }
    }
    store.subscribe(observer: observer)
    store.dispatch(SetIndex(index: 1))
    store.dispatch(SetIndex(index: 2))

    waitForExpectations(timeout: timeout)
    XCTAssertEqual(presenter.state?.currentIndex, 2)
  }

  func testScopeStoreWithTrailingClosure() {
    let factory = StoreFactory<TestState, Action>(
      initialState: TestState(),
      interceptor: { action, dispatch in
        guard let action = action as? SetIndex else { return }
        dispatch(SetTitle(title: "title \(action.index)"))
      },
      qos: .userInitiated,
      reducer: { $0.reduce($1) }
    )
    let presenter = Presenter()
    let expectation = expectation(description: "the scope saw the title")

    let scoped = factory.scopeStore { $0.subState }
    scoped.subscribe(
      observer: Observer<SubState> { substate, complete in
        presenter.show(substate)
        guard substate.title == "title 7" else { return complete(.active) }
        expectation.fulfill()
        complete(.dead)
      }
    )
    scoped.dispatch(SetIndex(index: 7))

    waitForExpectations(timeout: timeout)
    XCTAssertEqual(presenter.titles.last, "title 7")
  }

  func testScopesByKeyPathAndToOptional() {
    let factory = StoreFactory<TestState, Action>(initialState: TestState()) { state, action in
      state.reduce(action)
    }
    let expectation = expectation(description: "the key path's scope")
    factory.scopeStore(to: \.currentIndex).subscribe(
      observer: Observer { index in
        guard index == 3 else { return .active }
        expectation.fulfill()
        return .dead
      }
    )
    let optional: Store<SubState, Action> = factory.scopeStore(toOptional: { $0.optionalState })
    optional.subscribe(
      observer: Observer { _ in
        XCTFail("silent while nil")
        return .dead
      })
    optional.dispatch(SetIndex(index: 3))

    waitForExpectations(timeout: timeout)
  }

  func testChildStoreComposesStates() {
    let factory = StoreFactory<TestState, Action>(
      initialState: TestState(),
      reducer: { state, action in state.reduce(action) }
    )
    let childStoreObject = factory.childStore(
      initialState: LocalState(),
      reducer: { localState, action in localState.reduce(action) }
    )
    let mapped: StoreObject<String, Action> = factory.childStore(
      initialState: LocalState(),
      stateMapping: { state, local in "\(state.currentIndex) \(local.count)" },
      qos: .userInitiated,
      reducer: { localState, action in localState.reduce(action) }
    )
    let pair = expectation(description: "the pair of states")
    let text = expectation(description: "the mapped state")
    let presenter = Presenter()

    let childStore = childStoreObject.store()
    childStore.subscribe(
      observer: Observer { stateComposition, complete in
        presenter.composition = stateComposition
        guard stateComposition.1.count == 1 else { return complete(.active) }
        pair.fulfill()
        complete(.dead)
      }
    )
    mapped.subscribe(
      observer: Observer { composed in
        guard composed == "5 0" else { return .active }
        text.fulfill()
        return .dead
      }
    )
    childStore.dispatch(SetIndex(index: 5))

    waitForExpectations(timeout: timeout)
    XCTAssertEqual(presenter.composition?.0.currentIndex, 5)
    XCTAssertEqual(presenter.composition?.1.count, 1)
  }

  func testGenericCode() {
    let factory = StoreFactory<TestState, Action>(
      initialState: TestState(),
      reducer: { state, action in state.reduce(action) }
    )
    let expectation = expectation(description: "the index that was dispatched")
    let handler: Observer<TestState>.StateHandler = { state, complete in
      guard state.currentIndex == 3 else { return complete(.active) }
      expectation.fulfill()
      complete(.dead)
    }
    subscribe(to: factory.rootStore(), handler)
    factory.rootStore().dispatch(SetIndex(index: 3))

    waitForExpectations(timeout: timeout)
  }

  private func subscribe<State, Action>(
    to store: Store<State, Action>,
    _ handler: @escaping Observer<State>.StateHandler
  ) {
    store.subscribe(observer: Observer(observe: handler))
  }

  func testScopeOfAChildIsSilentWhileNil() {
    let factory = StoreFactory<TestState, Action>(
      initialState: TestState(),
      reducer: { state, action in
        guard action is SetTitle else { return state.reduce(action) }
        state.optionalState = SubState(title: "there")
      }
    )
    let childStoreObject = factory.childStore(
      initialState: LocalState(),
      reducer: { localState, action in localState.reduce(action) }
    )
    let presenter = Presenter()
    let expectation = expectation(description: "the part that is there")

    let scoped = childStoreObject.scope { $0.0.optionalState }
    scoped.subscribe(
      observer: Observer<SubState> { substate, complete in
        presenter.show(substate)
        expectation.fulfill()
        complete(.dead)
      }
    )
    scoped.dispatch(SetIndex(index: 1))
    scoped.dispatch(SetTitle(title: ""))

    waitForExpectations(timeout: timeout)
    XCTAssertEqual(presenter.titles, ["there"])
  }

  func testStoresAndObjectsMadeByHand() {
    let presenter = Presenter()
    let dispatch: Store<TestState, Action>.Dispatch = { action in presenter.dispatched.append(action) }
    let subscribe: Store<TestState, Action>.Subscribe = { observer in presenter.observers.append(observer) }
    let storeObject = StoreObject<TestState, Action>(dispatch: dispatch, subscribe: subscribe)

    Store<TestState, Action>(dispatch: dispatch, subscribe: subscribe).dispatch(SetIndex(index: 1))
    storeObject.dispatch(SetIndex(index: 2))
    storeObject.store().dispatch(SetIndex(index: 3))
    storeObject.scope { $0.subState }.dispatch(SetIndex(index: 4))
    let observer = Observer<TestState> { _, complete in complete(.dead) }
    storeObject.subscribe(observer: observer)

    XCTAssertEqual(presenter.dispatched.compactMap { ($0 as? SetIndex)?.index }, [1, 2, 3, 4])
    XCTAssertEqual(presenter.observers, [observer])
  }
}
