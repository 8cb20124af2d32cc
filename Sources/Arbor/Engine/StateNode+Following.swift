/// Bringing derived values up to date, before the observers of a step are called.
extension StateNode {
  /// Brings the derived values of the tree up to date, of which this node is the root.
  @usableFromInline @inline(never)
  func follow(fromRoot state: State) {
    mailbox.begin(.derivedValues)
    mailbox.isFollowing = true
    follow(state)
    mailbox.isFollowing = false
    mailbox.followedRevision = mailbox.revision
    mailbox.derivations.update()
  }

  /// Gives the derived values of this node, then those of each child, the state.
  @usableFromInline
  func follow(_ state: State) {
    var next = followers.first
    while let current = next { next = call(current, with: state) }
    give(state)
  }

  /// Called by a child's parent with what the child's state is composed of: first, if there are derived values below, to give
  /// them the state, and then to call the observers. The state is composed once for both.
  @inlinable @inline(__always)
  func take(_ compose: () -> State) {
    if mailbox.isFollowing {
      if followersBelow > 0 { follow(composed: compose()) }
    } else if listeners > followersBelow {
      // Looked for only if any node has kept a state: taking writes memory.
      notify(mailbox.hasComposed ? composed.take() ?? compose() : compose())
    }
  }

  @usableFromInline @inline(never)
  func follow(composed state: State) {
    follow(state)
    guard listeners > followersBelow else { return }
    composed = state
    mailbox.composing.append(self)
    mailbox.hasComposed = true
  }

  @usableFromInline @inline(never)
  func forgetAllComposed() {
    for node in mailbox.composing { node.forgetComposed() }
    mailbox.composing.removeAll(keepingCapacity: true)
    mailbox.hasComposed = false
  }
}
