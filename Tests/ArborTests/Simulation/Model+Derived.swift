/// Derived values.
extension Model {
  final class Derived {
    enum Origin {
      case store(modulus: Int)
      case combined(Derived, Derived)
      case mapped(Derived, modulus: Int)
    }

    let number: Int

    /// Its place in the order in which derived values were made.
    let order: Int
    let origin: Origin

    /// Where those are who observe it.
    let node: Node
    var value: Int

    /// How often the value was written.
    var version = 0

    /// What those were told last, and whether a store has given it another value since.
    var told: Int
    var isNew = false

    /// How many hold the value, and how many what is computed.
    var handles = 1
    var keepers = 1

    /// What is computed from it, and how many inputs may change it.
    var dependents: [Derived] = []
    var openInputs = 0

    /// Whether nothing changes it any more.
    var isFinal = false

    /// The closure that computes it from another one.
    var closure: HeldToken?

    /// What follows the state of a store for it.
    var follower: Subscription?

    init(_ number: Int, order: Int, _ origin: Origin, in tree: Tree, _ value: Int) {
      self.number = number
      self.order = order
      self.origin = origin
      self.value = value
      told = value
      node = Node(number, in: tree, parent: nil, NodePlan())
    }

    var inputs: [Derived] {
      switch origin {
      case .store: []
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
    var made: Derived?
    _ = read(in: from.node.tree) {
      catchUp(from.node.tree)
      guard let state = view(from) else { return }
      let value = compute(number, state, modulus)
      let derived = make(number, .store(modulus: modulus), in: from.node.tree, value)
      // The owner may have let go in what was waited for.
      guard from.node.isOpen else { return close(derived) }
      held.holders += 1
      let follower = Subscription(.follower(derived), store: store, node: from.node) { [self] in
        release(held)
        close(derived)
        letGoOfCore(of: derived)
      }
      derived.keepers += 1
      derived.follower = follower
      link(follower)
      made = derived
    }
    deriveds[number] = made
  }

  func combine(_ number: Int, _ first: Int, _ second: Int) {
    guard deriveds[number] == nil, let first = input(first), let second = input(second) else { return }
    // Who calls holds them.
    let held = hold([first, second])
    defer { held() }
    var (value, version) = (0, 0)
    let isDone = read(in: first.node.tree, keepsNode: false) {
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
    let isDone = read(in: base.node.tree, keepsNode: false) {
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

  /// - Returns: What lets go of the values.
  private func hold(_ deriveds: [Derived]) -> () -> Void {
    for derived in deriveds { derived.handles += 1 }
    return { [self] in
      for derived in deriveds { release(derived) }
    }
  }

  /// A value that others can be combined with: of one that is combined itself, one cannot be made.
  private func input(_ number: Int) -> Derived? {
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

  /// - Parameter version: How often the inputs were written when the value was computed.
  private func add(_ derived: Derived, to inputs: [Derived], _ version: Int) {
    for input in inputs {
      input.handles += 1
      guard !input.isFinal else { continue }
      input.dependents.append(derived)
      derived.openInputs += 1
    }
    if inputs.reduce(0, { $0 + $1.version }) != version { expire(derived) }
    if derived.openInputs == 0 { close(derived) }
  }

  private func compute(_ number: Int, _ state: Digest, _ modulus: Int) -> Int {
    note(.computed, number, state.count)
    return Int(state.all % UInt64(modulus))
  }

  private func compute(_ number: Int, _ value: Int, _ modulus: Int) -> Int {
    note(.computed, number, Int32(value))
    return value % modulus
  }

  private func combined(_ first: Int, _ second: Int) -> Int { first * 100 + second }

  // MARK: Changes

  /// A store gives a state.
  func take(_ state: Digest, _ derived: Derived) {
    guard derived.node.isOpen, case .store(let modulus) = derived.origin else { return end(derived.follower!) }
    let value = compute(derived.number, state, modulus)
    guard value != derived.value else { return }
    publish(value, of: derived)
    derived.isNew = true
    addStale(derived)
  }

  private func publish(_ value: Int, of derived: Derived) {
    derived.value = value
    derived.version += 1
    for dependent in derived.dependents {
      dependent.keepers += 1
      expire(dependent)
      let isElsewhere = dependent.node.tree !== derived.node.tree
      if isElsewhere { letGo { [self] in letGoOfCore(of: dependent) } } else { letGoOfCore(of: dependent) }
    }
  }

  /// An input has changed.
  private func expire(_ derived: Derived) {
    let tree = derived.node.tree
    guard !isInside(tree) else { return addStale(derived) }
    guard derived.node.isOpen else { return }
    derived.keepers += 1
    tree.expired.append(derived)
    tree.hasExpired = true
    let thread = threads.count - 1
    if !threads[thread].expiredIn.isEmpty {
      threads[thread].expiredIn[threads[thread].expiredIn.count - 1].append(tree)
    }
    if tree.expired.count == 1 { accept(in: tree) { [self] in settleExpiredInside(tree) } }
  }

  func settleExpired(_ tree: Tree) {
    attend(tree) { settleExpiredInside(tree) }
  }

  private func settleExpiredInside(_ tree: Tree) {
    let expired = tree.expired
    tree.expired = []
    letGo { [self] in
      for derived in expired { letGoOfCore(of: derived) }
    }
    for derived in expired { addStale(derived) }
    settle(tree)
    tree.hasExpired = !tree.expired.isEmpty
  }

  private func addStale(_ derived: Derived) {
    let tree = derived.node.tree
    if !tree.stale.contains(where: { $0 === derived }) { tree.stale.append(derived) }
  }

  /// Brings the derived values of a tree up to date.
  func update(_ tree: Tree) {
    while let next = tree.stale.min(by: { $0.order < $1.order }) {
      tree.stale.removeAll { $0 === next }
      if update(next), !tree.untold.contains(where: { $0 === next }) { tree.untold.append(next) }
    }
  }

  private func update(_ derived: Derived) -> Bool {
    let value: Int
    switch derived.origin {
    case .store: return derived.isNew
    case .combined(let first, let second): value = combined(first.value, second.value)
    case .mapped(let input, let modulus): value = compute(derived.number, input.value, modulus)
    }
    guard value != derived.value else { return false }
    publish(value, of: derived)
    return true
  }

  /// Brings the derived values of a tree up to date, and tells those who observe them.
  func settle(_ tree: Tree) {
    update(tree)
    guard !tree.untold.isEmpty else { return }
    preempt()
    while let next = tree.untold.min(by: { $0.order < $1.order }) {
      tree.untold.removeAll { $0 === next }
      tell(next)
      update(tree)
    }
  }

  private func tell(_ derived: Derived) {
    if case .store = derived.origin {} else if derived.told == derived.value { return }
    derived.told = derived.value
    derived.isNew = false
    let value = derived.value
    for subscription in derived.node.subscriptions
    where derived.node.isOpen && subscription.isLinked && !subscription.isEnded {
      call(subscription, Shown(value))
    }
  }

  // MARK: Ends

  func dropDerived(_ number: Int) {
    guard let derived = deriveds[number] else { return }
    deriveds[number] = nil
    release(derived)
  }

  /// One of those lets go who hold a value.
  func release(_ derived: Derived) {
    derived.handles -= 1
    guard derived.handles == 0 else { return }
    if let follower = derived.follower { end(follower) }
    close(derived)
    for input in derived.inputs { input.dependents.removeAll { $0 === derived } }
    retire(derived)
    letGoOfCore(of: derived)
  }

  /// Nothing goes by which a running step could come to the value.
  private func retire(_ derived: Derived) {
    guard !derived.node.tree.isIdle else { return }
    derived.keepers += 1
    derived.node.tree.changes.append { [self] in
      letGo { [self] in letGoOfCore(of: derived) }
    }
  }

  /// Nothing changes the value any more.
  private func close(_ derived: Derived) {
    guard derived.node.isOpen else { return }
    close(derived.node)
    derived.isFinal = true
    let dependents = derived.dependents
    derived.dependents = []
    for dependent in dependents {
      dependent.openInputs -= 1
      if dependent.openInputs == 0 { close(dependent) }
    }
  }

  func letGoOfCore(of derived: Derived) {
    derived.keepers -= 1
    guard derived.keepers == 0 else { return }
    if let closure = derived.closure { release(closure) }
    for input in derived.inputs { release(input) }
  }
}

extension Model.Shown {
  /// What is shown of a derived value.
  init(_ value: Int) {
    self.init(count: Int32(value), digest: 0)
  }
}
