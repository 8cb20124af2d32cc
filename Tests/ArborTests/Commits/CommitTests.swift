import Arbor
import ArborTesting
import Foundation
import TestSupport
import Testing

@Suite("Commits")
struct CommitTests {
  private struct Model: Equatable, Sendable {
    var count = 0
    var name = ""
  }

  private struct Refusal: Error, Equatable {
    let reason: Int
  }

  private let executor = ManualExecutor()

  @Test func `a commit changes the state, is visible immediately, and returns the result of its closure`() {
    let store = CommitStore(initialState: Model())
    let before = store.commit { state in
      defer { state.count += 1 }
      return state.count
    }
    #expect(before == 0)
    #expect(store.state.count == 1)
    onThreads(1) { _ in
      store.commit { $0.count += 1 }
      #expect(store.state.count == 2)
    }
    #expect(store.rootStore().commit { $0.count } == 2)
  }

  @Test @MainActor func `a closure is neither escaping nor sendable, so it may use its caller's variables`() {
    final class Form {
      var text = "Ada"
      var isSaved = false
    }
    let form = Form()
    let store = CommitStore(initialState: Model())
    store.commit { state in
      state.name = form.text
      form.isSaved = true
    }
    #expect(store.state.name == "Ada")
    #expect(form.isSaved)
  }

  @Test func `a commit runs on the calling thread, even while another thread runs the tree's work`() {
    let store = CommitStore(initialState: 0)
    let strays = RecordedValues<Int>()
    onThreads(8) { number in
      for _ in 0..<200 {
        store.commitLater { $0 += 1 }
        let caller = ObjectIdentifier(Thread.current)
        let runner = store.commit { _ in ObjectIdentifier(Thread.current) }
        if runner != caller { strays.append(number) }
      }
    }
    #expect(strays.values.isEmpty)
    #expect(store.state == 1600)
  }

  @Test func `commits are actions: interceptors see them with their names and places, and effects follow`() async {
    let seen = RecordedValues<String>()
    let store = CommitStore<Model>(
      initialState: Model(),
      feature: Feature(
        interceptor: { mutation, _ in
          #expect(mutation.fileID == "ArborTests/CommitTests.swift")
          seen.append("\(mutation) from \(mutation.line > 0)")
        },
        effects: { state, mutation in
          mutation.name == "start" ? .send(Mutation(named: "finish") { $0.name = "done" }) : .none
        }, reducer: nil
      )
    )
    store.commit(named: "start") { $0.count = 1 }
    rename(store)
    #expect(store.state == Model(count: 1, name: "done renamed"))
    #expect(seen.values == ["start from true", "finish from true", "rename(_:) from true"])
  }

  private func rename(_ store: CommitStore<Model>) {
    store.commit { $0.name += " renamed" }
  }

  @Test func `N1 a commit that assigns an equal value makes a step like any other`() {
    let states = RecordedValues<Int>()
    let store = CommitStore(initialState: 5)
    store.rootStore().subscribe(observer: .recording(in: states))
    store.commit { $0 = 5 }
    store.commit { _ in }
    #expect(states.values == [5, 5, 5])
  }

  @Test(arguments: [false, true])
  func `N1 a commit that throws after changing two fields makes no step, and the state is unchanged`(
    isIntercepted: Bool
  ) {
    let states = RecordedValues<Model>()
    let asked = RecordedValues<String>()
    let asking: @Sendable (Model, Mutation<Model>) -> Effect<Mutation<Model>> = { _, mutation in
      asked.append(mutation.name)
      return .none
    }
    let store = CommitStore<Model>(
      initialState: Model(count: 1, name: "one"),
      feature: Feature(
        interceptors: isIntercepted ? [Interceptor { _, _ in .pass }] : [],
        effects: isIntercepted ? asking : nil
      )
    )
    store.rootStore().subscribe(observer: .recording(in: states))
    #expect(throws: Refusal(reason: 2)) {
      try store.commit { (state) throws(Refusal) in
        state.count = 2
        state.name = "two"
        throw Refusal(reason: 2)
      }
    }
    #expect(store.state == Model(count: 1, name: "one"))
    #expect(states.values == [Model(count: 1, name: "one")])
    #expect(asked.values.isEmpty, "no effects are declared either")
    let text = try? store.commit { state throws -> String in
      state.count = 3
      return "three"
    }
    #expect(text == "three")
    #expect(states.values.map(\.count) == [1, 3])
  }

  @Test func `the error of a commit keeps its type`() {
    let store = CommitStore(initialState: 0)
    do throws(Refusal) {
      try store.commit { (_: inout Int) throws(Refusal) in throw Refusal(reason: 7) }
      Issue.record("it must throw")
    } catch {
      #expect(error.reason == 7)
    }
  }

  @Test(arguments: [0, 1, 2])
  func `S1 a commit that cannot throw changes the state in place; one that can copies only its own part`(
    interceptors: Int
  ) {
    struct Halves: Sendable {
      var left = Array(repeating: 0, count: 1000)
      var right = Array(repeating: 0, count: 1000)
    }
    func address(of array: [Int]) -> Int { array.withUnsafeBufferPointer { Int(bitPattern: $0.baseAddress) } }
    // With one interceptor the action passes in stages; with two, a mutation is replaced.
    let passing = Interceptor<Halves, Mutation<Halves>> { _, _ in .pass }
    let wrapping = Interceptor<Halves, Mutation<Halves>> { mutation, _ in
      .replace(with: Mutation { state in mutation.apply(to: &state) })
    }
    let store = CommitStore(
      initialState: Halves(),
      feature: Feature(interceptors: Array([passing, wrapping].prefix(interceptors)))
    )
    let left = store.scope(at: \.left)
    let (leftAtFirst, rightAtFirst) = store.commit { (address(of: $0.left), address(of: $0.right)) }
    store.commit { $0.left[3] = 1 }
    left.commit { $0[4] = 1 }
    store.commitLater { $0.left[5] = 1 }
    left.commitLater { $0[6] = 1 }
    #expect(store.commit { address(of: $0.left) } == leftAtFirst)
    try? left.commit { part throws in part[7] = 1 }
    if interceptors < 2 {
      #expect(store.commit { address(of: $0.right) } == rightAtFirst, "nothing else was copied")
    }
    #expect(store.commit { address(of: $0.left) } != leftAtFirst, "it was kept in case of an error")
    #expect(store.state.left[3...7] == [1, 1, 1, 1, 1])
  }

  @Test func `O2 commits and dispatches take effect in the order of their calls, through root and scopes`() {
    struct Lists: Sendable {
      var all: [Int] = []
      var inner = Inner()
      struct Inner: Sendable { var count = 0 }
    }
    let store = CommitStore(initialState: Lists(), settings: TreeSettings(executor: executor))
    let all = store.scope(at: \.all)
    let count = store.scope(at: \.inner).scope(at: \.count)
    all.commitLater { $0.append(1) }
    count.commitLater { $0 += 1 }
    store.commitLater { $0.all.append(10 + $0.inner.count) }
    #expect(executor.pending == 3)
    count.commit { $0 += 1 }
    #expect(executor.pending == 0, "what was accepted before comes before")
    store.commit { $0.all.append(20 + $0.inner.count) }
    #expect(store.state.all == [1, 11, 22])
  }

  @Test func `O3 commitLater inside an observer, an interceptor and a commit goes after the waiting work`() {
    let stores = RecordedValues<Store<[Int], Mutation<[Int]>>>()
    let store = CommitStore<[Int]>(
      initialState: [],
      feature: Feature(
        interceptor: { mutation, _ in if mutation.name == "first" { stores.values[0].commitLater { $0.append(10) } } },
        reducer: nil
      ),
      settings: TreeSettings(executor: executor)
    )
    stores.append(store.rootStore())
    store.rootStore().subscribe(
      observer: Observer { [root = store.rootStore()] state in
        if state == [1] { root.commitLater { $0.append(30) } }
        return .active
      }
    )
    store.commitLater(named: "first") { $0.append(1) }
    store.commitLater { $0.append(2) }
    executor.run()
    store.commit { [root = store.rootStore()] state in
      root.commitLater { $0.append(40) }
      state.append(3)
    }
    executor.run()
    #expect(store.state == [1, 2, 10, 30, 3, 40])
  }

  @Test func `O2 with commits on a hundred threads, none is lost, and each observer sees every state once`() {
    let store = CommitStore(initialState: 0)
    let (first, second) = (RecordedValues<Int>(), RecordedValues<Int>())
    store.rootStore().subscribe(observer: .recording(in: first))
    store.rootStore().subscribe(observer: .recordingWithCompletion(in: second))
    let seen = RecordedValues<Int>()
    onThreads(100) { number in
      for round in 0..<20 {
        if (number + round).isMultiple(of: 2) {
          seen.append(
            store.commit { state in
              state += 1
              return state
            }
          )
        } else {
          store.commitLater { $0 += 1 }
        }
      }
    }
    #expect(store.state == 2000)
    #expect(first.values == Array(0...2000))
    #expect(second.values == Array(0...2000))
    #expect(Set(seen.values).count == 1000, "each caller had its own step")
  }

  @Test(.reports("used after its owner was released"))
  func `L4 a commit whose owner is gone does not call its closure, and returns nil`() {
    let store: Store<Int, Mutation<Int>>
    do { store = CommitStore(initialState: 0).rootStore() }
    let result: Void? = store.commit { _ in Issue.record("it must not be called") }
    #expect(result == nil)
    store.commitLater { _ in Issue.record("it must not be called") }
  }

  @Test func `a batch of mutations is one step`() {
    let states = RecordedValues<Int>()
    let store = CommitStore(initialState: 0)
    store.rootStore().subscribe(observer: .recording(in: states))
    store.rootStore().dispatch(batch: [Mutation { $0 += 1 }, Mutation { $0 *= 5 }])
    #expect(store.state == 5)
    #expect(states.values == [0, 5])
  }

  @Test func `actions that contain mutations work like commits if their reducer applies them`() {
    enum Action: Sendable {
      case name(Mutation<String>)
      case clear
    }
    let factory = StoreFactory<Model, Action>(
      initialState: Model(),
      reducer: { state, action in
        switch action {
        case .name(let mutation): mutation.apply(to: &state.name)
        case .clear: state.name = ""
        }
      }
    )
    let name = factory.rootStore().scope(to: \.name, action: Action.name)
    #expect(
      name.commit { state in
        state += "Ada"
        return state.count
      } == 3)
    name.commitLater { $0 += " Lovelace" }
    #expect(factory.state.name == "Ada Lovelace")
    #expect(throws: Refusal.self) {
      try name.commit { state in
        state = ""
        throw Refusal(reason: 1)
      }
    }
    #expect(factory.state.name == "Ada Lovelace")
    factory.rootStore().dispatchAndWait(.clear)
    #expect(name.state == "")
  }

  @Test func `a closure-backed store receives the mutation`() {
    let names = RecordedValues<String>()
    let store = Store<Int, Mutation<Int>>(
      dispatch: { mutation in
        names.append(mutation.name)
        var state = 1
        mutation.apply(to: &state)
      },
      subscribe: { $0.send(1) }
    )
    #expect(
      store.commit(
        named: "double",
        {
          $0 *= 2
          return $0
        }) == 2)
    let idle = Store<Int, Mutation<Int>>(dispatch: { names.append($0.name) }, subscribe: { $0.send(1) })
    #expect(idle.commit(named: "lost", { $0 }) == nil)
    #expect(names.values == ["double", "lost"])
  }

  @Test func `a child of a commit store takes the root's mutations, and commits if it shows the root's state`() {
    let store = CommitStore(initialState: 1)
    let child = store.childStore(initialState: [String](), reducer: { own, mutation in own.append(mutation.name) })
    child.dispatch(Mutation(named: "double") { $0 *= 2 })
    #expect(child.state?.0 == 2)
    #expect(child.state?.1 == ["double"])
    let same = store.childStore(
      initialState: [String](),
      stateMapping: { root, _ in root },
      reducer: { own, mutation in own.append(mutation.name) }
    )
    #expect(
      same.store().commit(
        named: "triple",
        {
          $0 *= 3
          return $0
        }) == 6)
    #expect(store.state == 6)
  }

  @Test
  func `O5, N1 a commit that throws makes no step and undoes the changes of a child's reducer before it`() {
    let states = RecordedValues<Int>()
    let store = CommitStore(initialState: 1)
    let child = store.childStore(
      initialState: 0,
      stateMapping: { root, own in root + own },
      reducer: { own, _ in own += 10 }
    )
    child.subscribe(observer: .recording(in: states))
    #expect(throws: Refusal.self) { try child.store().commit { _ in throw Refusal(reason: 0) } }
    #expect(states.values == [1])
    #expect(store.state == 1)
    #expect(child.state == 1)
    child.store().commit { $0 += 1 }
    #expect(states.values == [1, 12])
  }

  @Test func `an interceptor may add to an awaited commit by a mutation that applies it`() {
    let adding = Interceptor<[Int], Mutation<[Int]>> { mutation, _ in
      .replace(with: Mutation { state in if mutation.apply(to: &state) { state.append(0) } })
    }
    let store = CommitStore<[Int]>(initialState: [], feature: Feature(interceptors: [adding]))
    let states = RecordedValues<[Int]>()
    store.rootStore().subscribe(observer: .recording(in: states))
    let count = store.commit { state in
      state.append(1)
      return state.count
    }
    #expect(count == 1)
    store.scope(at: \.self).commit { $0.append(2) }
    #expect(throws: Refusal(reason: 3)) { try store.commit { _ in throw Refusal(reason: 3) } }
    store.commitLater { $0.append(4) }
    #expect(store.state == [1, 0, 2, 0, 4, 0])
    #expect(states.values == [[], [1, 0], [1, 0, 2, 0], [1, 0, 2, 0, 4, 0]])
  }

  @Test func `an interceptor can recognize commits that no caller waits for, and may drop them`() {
    let store = CommitStore<Int>(
      initialState: 0,
      feature: Feature(interceptors: [Interceptor { mutation, _ in mutation.isAwaited ? .pass : .drop }])
    )
    let part = store.scope(at: \.self)
    store.commitLater { $0 += 1 }
    part.commitLater { $0 += 10 }
    store.commit { $0 += 100 }
    part.commit { $0 += 1000 }
    #expect(store.state == 1100)
  }
}

extension CommitTests {
  private static let applying: Reducer<[Int], Mutation<[Int]>> = { state, mutation in mutation.apply(to: &state) }

  @Test(arguments: [false, true])
  func `O5, N1 a commit that throws makes no step even if the tree's own reducer applies it`(combined: Bool) {
    let states = RecordedValues<[Int]>()
    let factory = StoreFactory<[Int], Mutation<[Int]>>(
      initialState: [],
      reducer: combined
        ? combine(Self.applying, { state, _ in state.append(0) })
        : { state, mutation in
          guard mutation.apply(to: &state) else { return }
          state.append(0)
        }
    )
    factory.rootStore().subscribe(observer: .recording(in: states))
    #expect(throws: Refusal.self) { try factory.commit { _ in throw Refusal(reason: 0) } }
    #expect(states.values == [[]])
    #expect(factory.state == [])
    factory.commit { $0.append(1) }
    #expect(states.values == [[], [1, 0]])
  }

  @Test func `middleware is called only after commits that took place, in their step`() {
    let states = RecordedValues<[String]>()
    let store = CommitStore<[String]>(initialState: []) { state, mutation in state.append("after \(mutation.name)") }
    store.rootStore().subscribe(observer: .recording(in: states))
    store.commit(named: "first") { $0.append("first") }
    #expect(throws: Refusal.self) { try store.commit(named: "second") { _ in throw Refusal(reason: 0) } }
    store.commitLater(named: "third") { $0.append("third") }
    #expect(store.state == ["first", "after first", "third", "after third"])
    #expect(states.values == [[], ["first", "after first"], ["first", "after first", "third", "after third"]])
  }

  @Test func `O5 an action whose mutation does not take place makes no step`() {
    enum Action: Sendable { case change(Mutation<Int>) }
    let states = RecordedValues<Int>()
    let factory = StoreFactory<Int, Action>(initialState: 0) { state, action in
      switch action {
      case .change(let mutation): mutation.apply(to: &state)
      }
    }
    factory.rootStore().subscribe(observer: .recording(in: states))
    let changing = factory.rootStore().scope(to: { $0 }, action: Action.change)
    #expect(throws: Refusal.self) { try changing.commit { _ in throw Refusal(reason: 0) } }
    #expect(states.values == [0])
    changing.commit { $0 += 1 }
    #expect(states.values == [0, 1])
  }

  @Test(arguments: [false, true])
  func `a mutation applied manually inside a commit only decides about its own step`(isIntercepted: Bool) {
    let nowhere = Mutation<Int> { _ in }
    let store = CommitStore<[Int?]>(
      initialState: [nil],
      feature: Feature(interceptors: isIntercepted ? [Interceptor { _, _ in .pass }] : [])
    )
    let states = RecordedValues<[Int?]>()
    store.rootStore().subscribe(observer: .recording(in: states))
    let kept = RecordedValues<Mutation<[Int?]>>()
    let keeping = CommitStore<[Int?]>(
      initialState: [nil],
      feature: Feature(
        interceptors: [
          Interceptor { mutation, _ in
            kept.append(mutation)
            return .drop
          }
        ]
      )
    )
    keeping.scope(atOptional: \.[0]).dispatch(nowhere)
    _ = keeping.state
    store.commit { state in
      let isMade = kept.values[0].apply(to: &state)
      state.append(isMade ? 1 : 0)
    }
    store.commitLater { $0.append(2) }
    _ = store.state
    #expect(states.values == [[nil], [nil, 0], [nil, 0, 2]])
  }

  @Test func `O5 middleware is not called for a commit that has thrown inside a wrapping action`() {
    let store = CommitStore<[Int]>(
      initialState: [],
      feature: Feature(
        interceptors: [Interceptor { mutation, _ in .replace(with: Mutation { mutation.apply(to: &$0) }) }],
        reducer: { state, _ in state.append(0) }
      )
    )
    #expect(throws: Refusal.self) { try store.commit { _ in throw Refusal(reason: 0) } }
    #expect(store.state == [])
    store.commit { $0.append(1) }
    #expect(store.state == [1, 0])
  }

  @Test func `O5 changes next to a commit that has thrown are undone, even if an interceptor has wrapped it`() {
    let wrapping = Interceptor<[Int], Mutation<[Int]>> { mutation, _ in
      .replace(
        with: Mutation { state in
          state.append(9)
          mutation.apply(to: &state)
        }
      )
    }
    let store = CommitStore<[Int]>(initialState: [], feature: Feature(interceptors: [wrapping]))
    let child = store.childStore(initialState: 0, stateMapping: { $1 }, reducer: { count, _ in count += 1 })
    let scope = child.store().scope(to: { _ in [Int]() })
    #expect(throws: Refusal.self) { try scope.commit { _ in throw Refusal(reason: 0) } }
    #expect(store.state == [])
    #expect(child.state == 0)
    store.commit { $0.append(1) }
    #expect(store.state == [9, 1])
  }

  @Test func `N1 a mutation that does not take place in a child's reducer does not affect later steps`() {
    let store = CommitStore<[Int?]>(initialState: [nil])
    let child = store.childStore(
      initialState: [Int?](),
      stateMapping: { root, _ in root },
      reducer: { mirror, mutation in if mutation.name == "mirrored" { mutation.apply(to: &mirror) } }
    )
    let states = RecordedValues<[Int?]>()
    store.rootStore().subscribe(observer: .recording(in: states))
    child.store().scope(atOptional: \.[0]).commitLater { $0 += 1 }
    store.commitLater { $0 = [2] }
    _ = store.state
    #expect(states.values == [[nil], [2]])
  }

  @Test(arguments: [false, true])
  func `S1 a commit that cannot fail copies no state for a reducer next to it`(hasChild: Bool) {
    let isShared = RecordedValues<Bool>()
    let factory = StoreFactory<Buffer, Mutation<Buffer>>(
      initialState: Buffer(),
      reducer: { state, mutation in mutation.apply(to: &state) }
    )
    let child = CommitStore(initialState: 0).childStore(
      initialState: Buffer(),
      stateMapping: { root, _ in root },
      reducer: { own, _ in isShared.append(own.isShared) }
    )
    if hasChild {
      child.store().commit { $0 += 1 }
    } else {
      factory.commit { isShared.append($0.isShared) }
    }
    #expect(isShared.values == [false])
  }

  /// A state that detects kept copies.
  private struct Buffer: Sendable {
    private final class Storage: Sendable {}
    private var storage = Storage()

    var isShared: Bool {
      mutating get { !isKnownUniquelyReferenced(&storage) }
    }
  }
}
