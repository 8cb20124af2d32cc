import Arbor
import ArborTesting
import TestSupport
import Testing

@Suite("Targets of commits")
struct CommitTargetTests {
  struct Leaf: Equatable, Sendable {
    var text = ""
    var loud: String {
      get { text.uppercased() }
      set { text = newValue }
    }
  }

  /// A struct with a single field, which has the same bytes.
  struct Box: Equatable, Sendable {
    var leaf = Leaf()
  }

  struct Nothing: Equatable, Sendable {}

  struct Branch: Equatable, Sendable {
    var box = Box()
    var level = 0
    var nothing = Nothing()
    var guest: Leaf?
    var computed: Box {
      get { box }
      set { box = newValue }
    }
  }

  struct Root: Equatable, Sendable {
    var branch = Branch()
    var other = Branch()
    var guest: Branch?
    var computed: Branch {
      get { branch }
      set { branch = newValue }
    }
  }

  private let log = RecordedValues<String>()

  /// A feature that records the calls of its middleware.
  private func feature<State>(_ label: String, _: State.Type = State.self) -> Feature<State, Mutation<State>> {
    Feature { [log] _, _ in log.append(label) }
  }

  private func leaf(_ label: String) -> Feature<Leaf, Mutation<Leaf>> {
    .combined(feature(label), feature("\(label).text").scoped(at: \.text), feature("\(label).loud").scoped(at: \.loud))
  }

  private func branch(_ label: String) -> Feature<Branch, Mutation<Branch>> {
    Feature<Branch, Mutation<Branch>>.combined(
      feature(label),
      Feature<Box, Mutation<Box>>.combined(feature("\(label).box"), leaf("\(label).box.leaf").scoped(at: \.leaf))
        .scoped(at: \.box),
      feature("\(label).computed", Box.self).scoped(at: \.computed),
      feature("\(label).computed.leaf", Leaf.self).scoped(at: \.computed.leaf),
      feature("\(label).box.leaf.loud at once", String.self).scoped(at: \.box.leaf.loud),
      feature("\(label).nothing", Nothing.self).scoped(at: \.nothing),
      feature("\(label).guest", Leaf?.self).scoped(at: \.guest),
      leaf("\(label).guest!").scoped(atOptional: \.guest)
    )
  }

  private func makeStore(_ state: Root) -> CommitStore<Root> {
    CommitStore(
      initialState: state,
      feature: Feature<Root, Mutation<Root>>.combined(
        branch("branch").scoped(at: \.branch),
        feature("other", Branch.self).scoped(at: \.other),
        feature("computed", Branch.self).scoped(at: \.computed),
        feature("computed.box", Box.self).scoped(at: \.computed.box),
        feature("branch.box at once", Box.self).scoped(at: \.branch.box),
        branch("guest!").scoped(atOptional: \.guest),
        feature("guest", Branch?.self).scoped(at: \.guest)
      )
    )
  }

  /// Expects the middleware calls for a commit to a store, waiting or not.
  private func expect<Part>(
    _ labels: Set<String>,
    in state: Root = Root(guest: Branch(guest: Leaf())),
    at scope: (CommitStore<Root>) -> Store<Part, Mutation<Part>>,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let store = makeStore(state)
    withExtendedLifetime(store) {
      scope(store).commit { _ in }
      #expect(Set(log.values) == labels, "a waiting commit", sourceLocation: sourceLocation)
      #expect(log.values.count == labels.count, "each is called once", sourceLocation: sourceLocation)
      log.removeAll()
      scope(store).commitLater { _ in }
      _ = store.state
      #expect(Set(log.values) == labels, "a later commit", sourceLocation: sourceLocation)
      log.removeAll()
    }
  }

  @Test func `a commit through several scopes is seen at each part on its path`() {
    expect(["branch"]) { $0.scope(at: \.branch) }
    let box: Set = ["branch", "branch.box", "branch.box at once"]
    expect(box) { $0.scope(at: \.branch).scope(at: \.box) }
    let leaf = box.union(["branch.box.leaf"])
    expect(leaf) { $0.scope(at: \.branch).scope(at: \.box).scope(at: \.leaf) }
    expect(leaf.union(["branch.box.leaf.text"])) {
      $0.scope(at: \.branch).scope(at: \.box).scope(at: \.leaf).scope(at: \.text)
    }
    expect(leaf.union(["branch.box.leaf.loud", "branch.box.leaf.loud at once"])) {
      $0.scope(at: \.branch).scope(at: \.box).scope(at: \.leaf).scope(at: \.loud)
    }
  }

  @Test func `a commit at one key path is seen at each larger part on its path`() {
    let box: Set = ["branch", "branch.box", "branch.box at once"]
    expect(box) { $0.scope(at: \.branch.box) }
    // The box has the same bytes as its leaf.
    expect(box.union(["branch.box.leaf"])) { $0.scope(at: \.branch.box.leaf) }
    expect(box.union(["branch.box.leaf", "branch.box.leaf.text"])) { $0.scope(at: \.branch.box.leaf.text) }
    expect(["branch", "branch.guest", "branch.guest!"], in: Root(branch: Branch(guest: Leaf()))) {
      $0.scope(atOptional: \.branch.guest)
    }
    expect(["branch", "branch.nothing"]) { $0.scope(at: \.branch).scope(at: \.nothing) }
  }

  @Test func `a commit is seen at computed parts on its path, with any number of scopes`() {
    expect(["computed"]) { $0.scope(at: \.computed) }
    expect(["computed", "computed.box"]) { $0.scope(at: \.computed).scope(at: \.box) }
    expect(["computed", "computed.box"]) { $0.scope(at: \.computed).scope(at: \.box).scope(at: \.leaf) }
    expect(["computed.box"]) { $0.scope(at: \.computed.box) }
    let computed: Set = ["branch", "branch.computed", "branch.computed.leaf"]
    expect(computed) { $0.scope(at: \.branch).scope(at: \.computed).scope(at: \.leaf).scope(at: \.text) }
    expect(["branch", "branch.box", "branch.box at once", "branch.box.leaf.loud at once"]) {
      $0.scope(at: \.branch.box).scope(at: \.leaf.loud)
    }
  }

  @Test func `a commit is seen at optional parts on its path, with their values and as optionals`() {
    expect(["guest", "guest!"]) { $0.scope(atOptional: \.guest) }
    expect(["guest", "guest!"]) { $0.scope(at: \.guest) }
    expect(["guest"], in: Root()) { $0.scope(at: \.guest) }
    expect([], in: Root()) { $0.scope(atOptional: \.guest) }
    let guest: Set = ["guest", "guest!", "guest!.guest", "guest!.guest!"]
    expect(guest) { $0.scope(atOptional: \.guest).scope(atOptional: \.guest) }
    expect(guest) { $0.scope(atOptional: \.guest).scope(at: \.guest) }
    expect(guest.union(["guest!.guest!.loud"])) {
      $0.scope(atOptional: \.guest).scope(atOptional: \.guest).scope(at: \.loud)
    }
  }

  @Test func `a commit of a part with the same bytes as its only field is not seen at that field`() {
    let feature = Feature<Root, Mutation<Root>>.combined(
      feature("leaf at once", Leaf.self).scoped(at: \.branch.box.leaf),
      feature("text at once", String.self).scoped(at: \.branch.box.leaf.text)
    )
    let store = CommitStore(initialState: Root(), feature: feature)
    store.scope(at: \.branch.box).commit { _ in }
    #expect(log.values == [])
    store.scope(at: \.branch).scope(at: \.box).scope(at: \.leaf).commit { _ in }
    #expect(log.values == ["leaf at once"])
    store.scope(at: \.branch.box.leaf).scope(at: \.text).commit { _ in }
    #expect(log.values == ["leaf at once", "leaf at once", "text at once"])
  }

  @Test(arguments: [false, true])
  func `a commit to a nil part does nothing, even if an interceptor around it replaces it`(isThere: Bool) {
    let executor = ManualExecutor()
    let applying = Feature<Branch, Mutation<Branch>>(
      interceptors: [
        Interceptor { mutation, _ in
          .replace(with: Mutation { branch in if mutation.apply(to: &branch) { branch.level += 1 } })
        }
      ]
    )
    let before = Root(branch: Branch(guest: isThere ? Leaf() : nil))
    let store = CommitStore(
      initialState: before,
      feature: applying.scoped(at: \.branch),
      settings: TreeSettings(executor: executor)
    )
    store.scope(atOptional: \.branch.guest).commitLater { $0.text = "a text that does not fit into a few bytes" }
    store.scope(at: \.branch).scope(atOptional: \.guest).commitLater { $0.text += "!" }
    executor.run()
    let text = "a text that does not fit into a few bytes!"
    #expect(store.state == (isThere ? Root(branch: Branch(level: 2, guest: Leaf(text: text))) : before))
  }

  @Test func `an interceptor replaces a commit of a whole optional part by a mutation of its value`() {
    let executor = ManualExecutor()
    let doubling = Feature<Branch, Mutation<Branch>>(
      interceptors: [
        Interceptor { mutation, _ in
          .replace(with: Mutation { branch in if mutation.apply(to: &branch) { branch.level *= 2 } })
        }
      ]
    )
    let store = CommitStore(
      initialState: Root(guest: Branch()),
      feature: doubling.scoped(atOptional: \.guest),
      settings: TreeSettings(executor: executor)
    )
    store.scope(at: \.guest).commitLater { $0?.level = 2 }
    executor.run()
    #expect(store.state == Root(guest: Branch(level: 4)))
    // It cannot be applied to a value that it removes.
    store.scope(at: \.guest).commitLater { $0 = nil }
    executor.run()
    #expect(store.state == Root(guest: Branch(level: 4)))
  }

  @Test
  func `an interceptor replaces a commit of an optional part's value by a mutation of the optional`() {
    let executor = ManualExecutor()
    let doubling = Feature<Branch?, Mutation<Branch?>>(
      interceptors: [
        Interceptor { mutation, _ in
          .replace(with: Mutation { branch in if mutation.apply(to: &branch) { branch?.level *= 2 } })
        }
      ]
    )
    let store = CommitStore(
      initialState: Root(),
      feature: doubling.scoped(at: \.guest),
      settings: TreeSettings(executor: executor)
    )
    store.scope(atOptional: \.guest).commitLater { $0.level = 2 }
    executor.run()
    #expect(store.state == Root())
    store.scope(at: \.guest).commitLater { $0 = Branch(level: 1) }
    store.scope(atOptional: \.guest).commitLater { $0.level += 1 }
    executor.run()
    #expect(store.state == Root(guest: Branch(level: 6)))
  }
}
