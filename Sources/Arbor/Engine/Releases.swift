/// Objects that the engine has let go of on a thread that runs a tree's work, and the trees that they belonged to.
///
/// They are released when the thread has left the queue of every tree: so their `deinit` may do what any code outside may.
final class Releases: @unchecked Sendable {  // One thread has it at a time: whoever runs the tree, or was handed it.
  private var objects: [AnyObject] = []
  private var trees: [Mailbox] = []

  /// Called when all is released: by them tasks go on that wait for a step.
  private var completions: [@Sendable () -> Void] = []

  func append(_ object: AnyObject, of tree: Mailbox) {
    objects.append(object)
    if trees.last !== tree { trees.append(tree) }
  }

  func append(_ completion: @escaping @Sendable () -> Void) {
    completions.append(completion)
  }

  func append(_ others: Releases) {
    objects += others.objects
    trees += others.trees
    completions += others.completions
  }

  /// Releases the objects in their order, and brings the trees' combined values up to date with what that did. Once, in no
  /// tree's callback.
  func release() {
    var objects = objects
    self.objects = []
    objects.reverse()
    while let object = objects.popLast() { withExtendedLifetime(object) {} }
    for tree in trees where tree.hasExpired { tree.settleExpired() }
    for completion in completions { completion() }
  }
}
