/// A tree's record of the thread that runs its work, including the work to do when that thread leaves the tree.
struct RunningThread {
  /// The tree whose callback, on the same thread, waited for this tree and so runs it. Nil outside other trees'
  /// callbacks.
  var enclosing: UnsafeRawPointer?

  /// The objects to release after the thread has left the queue of every tree; nil if there are none.
  var releases: DeferredReleases?

  /// The completion of the last task that awaited an entry. It is called after the thread has left the queue.
  var completion: (@Sendable () -> Void)?

  /// The work to do after the thread has left the queue.
  var afterwards: [@Sendable () -> Void] = []
}

/// Objects whose release is deferred until the thread has left the queue of every tree.
///
/// - While a thread runs a tree's work, the engine adds the objects that it gives up. A `deinit` that runs later may do
///   anything that code outside callbacks may do.
package final class DeferredReleases: @unchecked Sendable {  // Only one thread has it at a time.
  private var objects: [AnyObject] = []

  /// The work that the releases requested.
  private var work: [() -> Void] = []

  /// The closures to call after all objects were released. They resume tasks that wait for a step.
  private var completions: [@Sendable () -> Void] = []

  func append(_ object: AnyObject) {
    // An object that is added again and again is kept once.
    if objects.last !== object { objects.append(object) }
  }

  func append(_ completion: @escaping @Sendable () -> Void) {
    completions.append(completion)
  }

  func append(_ others: DeferredReleases) {
    objects += others.objects
    completions += others.completions
  }

  /// Releases the objects in order, then runs the work that the releases requested, then calls `completions`.
  ///
  /// - Call it once, outside the callbacks of all trees.
  func release() {
    var objects = objects
    self.objects = []
    objects.reverse()
    let releasing = Platform.ThreadLocal.currentReleases
    let enclosing = releasing.value
    releasing.set(UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()))
    while let object = objects.popLast() { withExtendedLifetime(object) {} }
    releasing.set(enclosing)
    for perform in work { perform() }
    for completion in completions { completion() }
  }

  /// Runs work after the calling thread has released all the objects that it is releasing. Does nothing if it isn't
  /// releasing any.
  package static func afterReleasing(_ work: @escaping () -> Void) {
    guard let releases = Platform.ThreadLocal.currentReleases.value else { return }
    Unmanaged<DeferredReleases>.fromOpaque(releases)._withUnsafeGuaranteedRef { $0.work.append(work) }
  }
}

extension Tree {
  /// Keeps an object until the calling thread has left the queue of every tree.
  ///
  /// - Does nothing if the thread isn't running a tree's work.
  @usableFromInline
  package static func releaseLater(_ object: AnyObject) {
    guard let running = Platform.ThreadLocal.currentTree.value else { return }
    Unmanaged<Tree>.fromOpaque(running)._withUnsafeGuaranteedRef { tree in
      let released = tree.thread.releases ?? DeferredReleases()
      tree.thread.releases = released
      released.append(object)
    }
  }
}

/// Several values as one object, so that they are released together.
package final class ReleaseBatch<Element> {
  private let elements: [Element]

  package init(_ elements: [Element]) {
    self.elements = elements
  }
}
