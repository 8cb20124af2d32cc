public import Synchronization

/// The place to which tasks and activities belong: a node, or a scope with its own type of actions.
@usableFromInline
final class AttachmentHost: Sendable {
  /// Calls a closure in each step with whether the value of an optional scope is there, until that answers dead.
  @usableFromInline typealias PresenceSource =
    @Sendable (_ notice: @escaping @Sendable (_ isThere: Bool) -> ObserverStatus) -> Void

  @usableFromInline let tree: Tree

  /// The place around a scope; nil for a node.
  let parent: AttachmentHost?

  /// The node as monitors know it; nil if there are none. An object of its own, since most trees have none.
  @usableFromInline let monitoredNode: MonitoredNode?

  /// The node's identity for monitors; nil if there are none.
  @inlinable var monitored: MonitoredStore? { monitoredNode?.store }

  /// Watches that report whether the scope's value exists. Empty for nodes, which always exist.
  let presences: [PresenceSource]

  @usableFromInline let attachments = Attachments()

  /// The place of a node.
  @usableFromInline
  init(on tree: Tree, monitored: MonitoredStore? = nil) {
    self.tree = tree
    monitoredNode = monitored.map { MonitoredNode($0) }
    parent = nil
    presences = []
  }

  /// The place of a scope.
  @usableFromInline
  init(in parent: AttachmentHost, presences: [PresenceSource]) {
    tree = parent.tree
    monitoredNode = parent.monitoredNode
    self.parent = parent
    self.presences = presences
  }
}

/// A node as monitors know it.
@usableFromInline
final class MonitoredNode: Sendable {
  @usableFromInline let store: MonitoredStore

  init(_ store: MonitoredStore) {
    self.store = store
  }
}

/// An object that a feature hangs on a place in the tree or on a node; see ``Attachments``.
@usableFromInline
class Attachment: @unchecked Sendable {
  // Sendable because the link is set before anyone else has the object; see the subclasses for the rest.

  @usableFromInline
  @exclusivity(unchecked)
  final var next: Unmanaged<Attachment>?

  @usableFromInline
  init() {}

  /// The place has lost its owner. From any thread; at least once, if the object was made before that.
  func close() {}
}

/// The objects that features hang on a place in the tree or on a node: one of each type, made on first use.
///
/// - From any thread, without a lock: to find one that is there costs a walk over as many as there are, which are few.
@usableFromInline
struct Attachments: ~Copyable, Sendable {
  @usableFromInline let first = Atomic<Unmanaged<Attachment>?>(nil)

  /// Says in the list that the place was closed: what was added later stands before it, and what was added earlier behind.
  private final class Closing: Attachment, @unchecked Sendable {}  // As its superclass.

  @usableFromInline
  init() {}

  /// The object of a type, if it was made. It lives as long as the place does.
  @inlinable
  func existing<Object: Attachment>(_ type: Object.Type) -> Unmanaged<Object>? {
    existing(type, from: first.load(ordering: .acquiring))
  }

  @inlinable @inline(__always)
  func existing<Object: Attachment>(_: Object.Type, from first: Unmanaged<Attachment>?) -> Unmanaged<Object>? {
    var next = first
    while let current = next {
      if current._withUnsafeGuaranteedRef({ type(of: $0) == Object.self }) {
        return Unmanaged.fromOpaque(current.toOpaque())
      }
      next = current._withUnsafeGuaranteedRef { $0.next }
    }
    return nil
  }

  /// The object of a type. It lives as long as the place does.
  ///
  /// - Parameter make: Makes it, if it is not there. What it has made is not used if another thread comes first.
  @inlinable
  func object<Object: Attachment>(_ make: () -> Object) -> Unmanaged<Object> {
    existing(Object.self) ?? add(make())
  }

  @usableFromInline
  func add<Object: Attachment>(_ made: Object) -> Unmanaged<Object> {
    let added = Unmanaged<Attachment>.passRetained(made)
    var last = first.load(ordering: .acquiring)
    while true {
      // Another thread may have added one of this type since it was looked for, and each time the exchange fails.
      if let existing = existing(Object.self, from: last) {
        added.release()
        return existing
      }
      made.next = last
      let (isExchanged, original) = first.compareExchange(
        expected: last,
        desired: added,
        ordering: .sequentiallyConsistent
      )
      if isExchanged { break }
      last = original
    }
    // Whoever has closed the place did not see it then.
    if existing(Closing.self, from: last) != nil { made.close() }
    return Unmanaged.passUnretained(made)
  }

  /// Closes all objects, those that are made later as well.
  func close() {
    var next = Optional(Unmanaged<Attachment>.fromOpaque(add(Closing()).toOpaque()))
    while let current = next {
      current._withUnsafeGuaranteedRef { $0.close() }
      next = current._withUnsafeGuaranteedRef { $0.next }
    }
  }

  deinit {
    var next = first.load(ordering: .acquiring)
    while let current = next {
      next = current._withUnsafeGuaranteedRef { $0.next }
      current.release()
    }
  }
}
