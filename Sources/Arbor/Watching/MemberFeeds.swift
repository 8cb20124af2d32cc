/// The feeds of members that are in use at a node.
final class MemberFeeds: Sendable {
  /// What makes two feeds the same.
  struct Name: Hashable, @unchecked Sendable {  // The key path is sendable where it comes from.
    let store: Identity
    let path: AnyKeyPath
    let type: ObjectIdentifier
  }

  private struct Entry: Sendable {
    weak let feed: (any AnyObject & Sendable)?
  }

  private let entries = Protected<[Name: Entry]>([:])

  /// The feed with a name, if it is in use.
  func feed<Whole, Key, Value>(_ name: Name) -> MemberFeed<Whole, Key, Value>? {
    entries.withLock { $0[name]?.feed }.map { unsafeDowncast($0, to: MemberFeed<Whole, Key, Value>.self) }
  }

  func add(_ feed: any AnyObject & Sendable, _ name: Name) {
    entries.withLock { $0[name] = Entry(feed: feed) }
  }

  /// Forgets a feed that is going, unless another one has its name by now. From any thread.
  func forget(_ name: Name) {
    entries.withLock { entries in
      if entries[name]?.feed == nil { entries[name] = nil }
    }
  }

  /// How many are in use, for tests.
  var count: Int { entries.withLock { $0.count } }
}
