/// Derived values.
extension Model {
  final class Derived {
    enum Origin {
      case store(modulus: Int)
      case selected(Selector)
      case combined(Derived, Derived)
      case mapped(Derived, modulus: Int)
    }

    let number: Int

    /// Its position in the order in which derived values were made.
    let order: Int
    let origin: Origin

    /// The node where its observers are.
    let node: Node
    var value: Int

    /// The number of writes of the value.
    var version = 0

    /// The number of writes of its inputs when it was last computed.
    var computedVersion = 0

    /// The value that its observers last received, and a flag for a later write by a store.
    var told: Int
    var isNew = false

    /// The number of holders of the value, and of holders of its computation.
    var handles = 1
    var keepers = 1

    /// The values computed from it, and the number of inputs that may change it.
    var dependents: [Derived] = []
    var openInputs = 0

    /// `true` if nothing changes it any more.
    var isFinal = false

    /// The last input of the selector that computes it.
    var selectedInput: Int?

    /// The closure that computes it from another value.
    var closure: HeldToken?

    /// The subscription that follows the state of a store for it.
    weak var follower: Subscription?

    init(_ number: Int, order: Int, _ origin: Origin, in tree: Tree, _ value: Int) {
      self.number = number
      self.order = order
      self.origin = origin
      self.value = value
      told = value
      node = Node(number, in: tree, parent: nil, NodePlan())
    }

    /// The number of writes of its inputs.
    var inputVersion: Int { inputs.reduce(0) { $0 + $1.version } }

    /// The trees of its inputs, each before those of the values computed from it, without its own at the end.
    var inputTrees: [Tree] {
      var trees: [Tree] = []
      for input in inputs {
        var missing = (input.inputTrees + [input.node.tree])[...]
        for tree in trees where tree === missing.first { missing.removeFirst() }
        trees += missing
      }
      if trees.last === node.tree { trees.removeLast() }
      return trees
    }

    var inputs: [Derived] {
      switch origin {
      case .store, .selected: []
      case .combined(let first, let second): [first, second]
      case .mapped(let input, _): [input]
      }
    }
  }

  // MARK: Making

  func derive(_ number: Int, _ store: Int, _ modulus: Int) {
    guard deriveds[number] == nil, let from = stores[store], from.node.isOpen else { return }
    let held = hold(Token(number: number))
    defer { release(held) }
    derive(number, .store(modulus: modulus), from, store, held)
  }

  func deriveSelected(_ number: Int, _ selector: Int, _ store: Int) {
    guard deriveds[number] == nil, let from = stores[store] else { return }
    let selector = self.selector(selector)
    let held = selector.token
    held.holders += 1
    defer { release(held) }
    if from.node.isOpen { derive(number, .selected(selector), from, store, held) }
  }

  /// Makes a value whose closure is represented by a token.
  private func derive(_ number: Int, _ origin: Derived.Origin, _ from: Store, _ store: Int, _ held: HeldToken) {
    var made: Derived?
    _ = read(in: from.node.tree, at: from.node) {
      catchUp(from.node.tree)
      guard let state = view(from) else { return }
      let derived = make(number, origin, in: from.node.tree, 0)
      derived.value = compute(derived, state)
      derived.told = derived.value
      // The owner may have been released during the wait.
      guard from.node.isOpen else { return close(derived) }
      held.holders += 1
      let follower = Subscription(.follower(derived), store: store, node: from.node) { [unowned self] in
        release(held)
        close(derived)
        letGoOfCore(of: derived)
      }
      derived.keepers += 1
      derived.follower = follower
      makeJoins(in: from.node.tree)
      link(follower)
      made = derived
    }
    deriveds[number] = made
  }

  func combine(_ number: Int, _ first: Int, _ second: Int) {
    guard deriveds[number] == nil, let first = input(first), let second = input(second) else { return }
    // The caller holds them.
    let held = hold([first, second])
    defer { held() }
    var (value, version) = (0, 0)
    let isDone = read(in: first.node.tree) {
      value = combined(first.value, second.value)
      version = first.version + second.version
    }
    guard isDone else { return }
    let derived = make(number, .combined(first, second), in: first.node.tree, value)
    add(derived, to: [first, second], version)
    deriveds[number] = derived
  }

  func map(_ number: Int, _ base: Int, _ modulus: Int) {
    guard deriveds[number] == nil, let base = deriveds[base] else { return }
    let held = hold([base])
    defer { held() }
    let closure = hold(Token(number: number))
    defer { release(closure) }
    var (value, version) = (0, 0)
    let isDone = read(in: base.node.tree) {
      value = compute(number, base.value, modulus)
      version = base.version
    }
    guard isDone else { return }
    let derived = make(number, .mapped(base, modulus: modulus), in: base.node.tree, value)
    closure.holders += 1
    derived.closure = closure
    add(derived, to: [base], version)
    deriveds[number] = derived
  }

  /// - Returns: A closure that releases the values.
  private func hold(_ deriveds: [Derived]) -> () -> Void {
    for derived in deriveds { derived.handles += 1 }
    return { [unowned self] in
      for derived in deriveds { release(derived) }
    }
  }

  /// A value as an input of combinations; nil if it is itself combined.
  func input(_ number: Int) -> Derived? {
    guard let derived = deriveds[number] else { return nil }
    if case .combined = derived.origin { return nil }
    return derived
  }

  private func make(_ number: Int, _ origin: Derived.Origin, in tree: Tree, _ value: Int) -> Derived {
    derivedCount += 1
    let derived = Derived(number, order: derivedCount, origin, in: tree, value)
    derived.node.derived = derived
    derived.node.isOfDerived = true
    return derived
  }

  /// - Parameter version: The number of writes of the inputs when the value was computed.
  private func add(_ derived: Derived, to inputs: [Derived], _ version: Int) {
    for input in inputs {
      input.handles += 1
      guard !input.isFinal else { continue }
      input.dependents.append(derived)
      derived.openInputs += 1
    }
    derived.computedVersion = version
    if derived.inputVersion != version { expire(derived) }
    if derived.openInputs == 0 { close(derived) }
  }

  /// Computes the value from a store's state.
  func compute(_ derived: Derived, _ state: Digest) -> Int {
    switch derived.origin {
    case .store(let modulus):
      note(.computed, derived.number, state.count)
      return Int(state.all % UInt64(modulus))
    case .selected(let selector):
      let input = Int(state.count / 2)
      if derived.selectedInput != input { note(.selected, selector.number, Int32(input)) }
      derived.selectedInput = input
      return input / 2
    case .combined, .mapped:
      preconditionFailure("It is computed from other values.")
    }
  }

  func compute(_ number: Int, _ value: Int, _ modulus: Int) -> Int {
    note(.computed, number, Int32(value))
    return value % modulus
  }

  func combined(_ first: Int, _ second: Int) -> Int { first * 100 + second }

  // MARK: Ends

  func dropDerived(_ number: Int) {
    guard let derived = deriveds[number] else { return }
    deriveds[number] = nil
    release(derived)
  }

  /// Removes one holder of a value.
  func release(_ derived: Derived) {
    derived.handles -= 1
    guard derived.handles == 0 else { return }
    if let follower = derived.follower { end(follower) }
    for input in derived.inputs { input.dependents.removeAll { $0 === derived } }
    close(derived)
    retire(derived)
    letGoOfCore(of: derived)
  }

  /// Removes everything through which a running step could reach the value.
  private func retire(_ derived: Derived) {
    guard !derived.node.tree.isIdle else { return }
    derived.keepers += 2
    let change = Change { [unowned self] in
      letGo { [unowned self] in letGoOfCore(of: derived) }
    } letGo: { [unowned self] in
      letGoOfCore(of: derived)
    }
    derived.node.tree.changes.append(change)
  }

  /// Closes a value that nothing changes any more.
  private func close(_ derived: Derived) {
    let node = derived.node
    guard node.isOpen else { return }
    node.isOpen = false
    let dissolve = { [unowned self] in
      let subscriptions = node.subscriptions
      node.subscriptions = []
      letGo { [unowned self] in
        for subscription in subscriptions { release(subscription) }
      }
    }
    if node.tree.hasRunAll {
      dissolve()
    } else {
      derived.keepers += 2
      let release = { [unowned self] in letGoOfCore(of: derived) }
      node.tree.changes.append(Change(make: {}, letGo: release))
      accept(in: node.tree, .waits) { [unowned self] in
        letGo(release)
        dissolve()
      }
    }
    derived.isFinal = true
    let dependents = derived.dependents
    derived.dependents = []
    for dependent in dependents {
      dependent.openInputs -= 1
      // The end of one dependent may have ended another.
      guard dependent.openInputs == 0, dependent.node.isOpen else { continue }
      // The engine's call keeps the value's core until it returns, also if its observers had the last reference.
      dependent.keepers += 1
      close(dependent)
      letGoOfCore(of: dependent)
    }
  }

  func letGoOfCore(of derived: Derived) {
    derived.keepers -= 1
    guard derived.keepers == 0 else { return }
    if let closure = derived.closure { release(closure) }
    for input in derived.inputs { release(input) }
  }
}
