/// Objects that the engine has let go of on a thread that runs a tree's work.
///
/// They are released when the thread has left the queue of every tree: so their `deinit` may do what any code outside may.
final class DeferredReleases: @unchecked Sendable {  // One thread at a time has it.
  private var objects: [AnyObject] = []

  /// The trees whose combined values the release of the objects has made stale.
  private var trees: [Tree] = []

  /// Called when all is released: by them tasks go on that wait for a step.
  private var completions: [@Sendable () -> Void] = []

  func append(_ object: AnyObject) {
    objects.append(object)
  }

  func append(_ completion: @escaping @Sendable () -> Void) {
    completions.append(completion)
  }

  func append(_ others: DeferredReleases) {
    objects += others.objects
    completions += others.completions
  }

  /// DeferredReleases the objects in their order, and brings the combined values up to date that this makes stale. Once, in no tree's
  /// callback.
  func release() {
    var objects = objects
    self.objects = []
    objects.reverse()
    let releasing = Platform.ThreadLocal.currentReleases
    let enclosing = releasing.value
    releasing.set(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    while let object = objects.popLast() { withExtendedLifetime(object) {} }
    releasing.set(enclosing)
    // A tree that is run by hand on this very thread settles by itself, in its turn.
    for tree in trees where tree.hasInvalidated && tree.executor.canWait(for: tree) { tree.updateInvalidated() }
    for completion in completions { completion() }
  }

  /// Notes that a combined value of a tree was made stale by the objects that this thread is releasing, if it is releasing any.
  static func note(invalidatedIn tree: Tree) {
    guard let releases = Platform.ThreadLocal.currentReleases.value else { return }
    Unmanaged<DeferredReleases>.fromOpaque(releases)._withUnsafeGuaranteedRef { $0.trees.append(tree) }
  }
}

extension Tree {
  /// Keeps an object that the engine lets go of until the thread has left the queue of every tree; not at all if it is in none.
  @usableFromInline
  static func releaseLater(_ object: AnyObject) {
    guard let running = Platform.ThreadLocal.currentTree.value else { return }
    Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { tree in
      let released = tree.deferredReleases ?? DeferredReleases()
      tree.deferredReleases = released
      released.append(object)
    }
  }
}

/// Several values as one object, to be let go of together.
final class ReleaseBatch<Element> {
  private let elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements
  }
}
