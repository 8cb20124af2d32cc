/// The feeds of members that are in use at a node. On the tree's queue only.
final class MemberFeeds: @unchecked Sendable {  // Its node has it, which the tree's queue owns.
  /// What makes two feeds the same.
  struct Name: Hashable {
    let store: Identity
    let path: AnyKeyPath
    let type: ObjectIdentifier
  }

  private var feeds: [Name: AnyObject] = [:]

  /// How many are in use.
  var count: Int { feeds.count }

  /// The feed with a name, if it is in use.
  subscript<Whole, Key, Value>(name: Name) -> MemberFeed<Whole, Key, Value>? {
    get { feeds[name].map { unsafeDowncast($0, to: MemberFeed<Whole, Key, Value>.self) } }
    set { feeds[name] = newValue }
  }

  /// Lets a feed go that nobody needs any more.
  func remove(_ name: Name) {
    feeds[name] = nil
  }
}
