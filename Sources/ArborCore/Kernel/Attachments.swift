/// The host of tasks, for a node or for a scope with its own type of actions. For a node, also the host of activities.
@usableFromInline
package final class AttachmentHost: Sendable {
  /// A source that reports which value an optional scope has.
  @usableFromInline
  package struct PresenceSource: Sendable {
    /// Reads the id of the present value, or an id that is always the same if values have no ids; nil while there is no
    /// value. Called on the tree's queue.
    package let read: @Sendable () -> AnyHashable?

    /// Calls `notice` with that id, from now on in each step until it returns `.dead`. Called on the tree's queue.
    package let connect: @Sendable (_ notice: @escaping @Sendable (_ id: AnyHashable?) -> ObserverStatus) -> Void

    @usableFromInline
    init(
      read: @escaping @Sendable () -> AnyHashable?,
      connect: @escaping @Sendable (_ notice: @escaping @Sendable (_ id: AnyHashable?) -> ObserverStatus) -> Void
    ) {
      self.read = read
      self.connect = connect
    }
  }

  @usableFromInline package let tree: Tree

  /// The parent, the presences and the place of a scope's host; nil for a node. It is an object, so that nodes stay
  /// small.
  private let scope: Scope?

  /// The node's identity; nil if the tree has no listener.
  @usableFromInline package let identity: NodeIdentity?

  /// The enclosing host of a scope; nil for a node.
  package var parent: AttachmentHost? { scope?.parent }

  /// The sources that report if the scope's value exists. Empty for nodes, which always exist.
  package var presences: [PresenceSource] { scope?.presences ?? [] }

  /// The place of a scope in its parent, if scopes of the same place share tasks; nil otherwise.
  package var place: ScopePlace? { scope?.place }

  /// The places in the same parent that contain the place of a nested scope.
  package var outerPlaces: [ScopePlace] { scope?.outerPlaces ?? [] }

  @usableFromInline package let attachments = Attachments()

  /// Makes the host of a node.
  @usableFromInline
  init(on tree: Tree, identity: NodeIdentity? = nil) {
    self.tree = tree
    self.identity = identity
    scope = nil
  }

  /// Makes the host of a scope.
  @usableFromInline
  package init(in parent: AttachmentHost, presences: [PresenceSource], place: ScopePlace?) {
    tree = parent.tree
    identity = parent.identity
    let outer = parent
    if let outerPlace = outer.place, let joined = place?.part(of: outerPlace), let parent = outer.parent {
      // A single place, so that nested scopes and one scope with the whole key path are equal.
      scope = Scope(in: parent, presences, joined, within: outer.outerPlaces + [outerPlace])
    } else {
      scope = Scope(in: parent, presences, place, within: [])
    }
  }

  private final class Scope: Sendable {
    let parent: AttachmentHost
    let presences: [PresenceSource]
    let place: ScopePlace?
    let outerPlaces: [ScopePlace]

    init(
      in parent: AttachmentHost,
      _ presences: [PresenceSource],
      _ place: ScopePlace?,
      within outerPlaces: [ScopePlace]
    ) {
      self.parent = parent
      self.presences = presences
      self.place = place
      self.outerPlaces = outerPlaces
    }
  }
}

/// An object that a capability attaches to a host, to a node or to a tree; see ``Attachments``. By default, its
/// functions do nothing.
package protocol Attachment: AnyObject, Sendable {
  /// Called when the owner of the host's node is released, or when the object is attached later.
  ///
  /// - May be called from any thread. It may be called twice if the object is attached while the owner is released.
  /// - The ``Owner`` only closes the attachments of its node's host. The tasks of scopes are closed with those of their
  ///   node. The attachments of a node itself, and of a tree, aren't closed.
  func close()

  /// Called on the attachments of a tree after the early observers received a new state, and before any other observer
  /// does, if ``RunningStep/isFollowed`` is `true`.
  func actBeforeObservers()

  /// Called on the attachments of a tree after the observers of a step, after an entry, and before the thread leaves
  /// the tree's queue, if ``RunningStep/isFollowed`` is `true`. The tree clears the flag before the call, so an
  /// attachment that needs another call sets it again.
  func actAfterObservers()

  /// Called on the attachments of a tree when a call that waited for the tree is about to return, on the thread of that
  /// call.
  func actAfterWait()
}

extension Attachment {
  package func close() {}
  package func actBeforeObservers() {}
  package func actAfterObservers() {}
  package func actAfterWait() {}
}

/// The objects that capabilities attach to a host, to a node or to a tree: one of each type, made on first use.
///
/// - May be used from any thread, without a lock. Finding an object walks the list of all objects, which is short.
@usableFromInline
package struct Attachments: ~Copyable, Sendable {
  /// An object in the list.
  package final class Link: @unchecked Sendable {
    // Sendable because the link is set before any other thread can reach the object.

    let object: any Attachment
    let type: ObjectIdentifier
    let pointer: UnsafeMutableRawPointer

    @exclusivity(unchecked)
    fileprivate(set) var next: Unmanaged<Link>?

    init(_ object: some Attachment) {
      self.object = object
      type = ObjectIdentifier(Swift.type(of: object))
      pointer = Unmanaged.passUnretained(object).toOpaque()
    }
  }

  let first = AtomicReference<Link>(nil)

  /// Marks in the list that the attachments were closed. Objects that were added later come before it.
  private final class Closing: Attachment {}

  @usableFromInline
  init() {}

  /// Returns the object of a type; nil if it was not made. The object lives as long as the attachments.
  package func existing<Object: Attachment>(_ type: Object.Type) -> Unmanaged<Object>? {
    existing(type, from: first.load())
  }

  func existing<Object: Attachment>(_ type: Object.Type, from first: Unmanaged<Link>?) -> Unmanaged<Object>? {
    var next = first
    while let current = next {
      if current._withUnsafeGuaranteedRef({ $0.type == ObjectIdentifier(type) }) {
        return current._withUnsafeGuaranteedRef { Unmanaged.fromOpaque($0.pointer) }
      }
      next = current._withUnsafeGuaranteedRef { $0.next }
    }
    return nil
  }

  /// Returns the object of a type, and makes it on first use. The object lives as long as the attachments.
  ///
  /// - Parameter make: Makes the object. If another thread adds an object of the type first, the result is discarded.
  package func object<Object: Attachment>(_ make: () -> Object) -> Unmanaged<Object> {
    existing(Object.self) ?? add(make())
  }

  func add<Object: Attachment>(_ made: Object) -> Unmanaged<Object> {
    let link = Link(made)
    let added = Unmanaged.passRetained(link)
    var last = first.load()
    while true {
      // Another thread may have added an object of this type since the caller's search, or since the last exchange
      // failed.
      if let existing = existing(Object.self, from: last) {
        added.release()
        return existing
      }
      link.next = last
      let (isExchanged, original) = first.compareExchange(expected: last, desired: added)
      if isExchanged { break }
      last = original
    }
    // The attachments were closed before this object was in the list, so `close()` didn't reach it.
    if existing(Closing.self, from: last) != nil { made.close() }
    return Unmanaged.passUnretained(made)
  }

  /// Closes all objects, including those that are added later.
  func close() {
    _ = add(Closing())
    visit { $0.close() }
  }

  /// Calls a function with each object, the last one first.
  func visit(_ body: (any Attachment) -> Void) {
    var next = first.load()
    while let current = next {
      current._withUnsafeGuaranteedRef { body($0.object) }
      next = current._withUnsafeGuaranteedRef { $0.next }
    }
  }

  deinit {
    var next = first.load()
    while let current = next {
      next = current._withUnsafeGuaranteedRef { $0.next }
      current.release()
    }
  }
}
