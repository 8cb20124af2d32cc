/// The effects of parts that may be missing or replaced, as long as one of their tasks runs or an action may arrive.
struct WatchedEffects {
  /// A part with the identity that it had when its effects were performed.
  struct Part: Hashable, ElementPart {
    let element: ElementKey?
    let identity: PartIdentity
  }

  /// Find the identity of a part, and those of many; nil if each part always exists and never changes its identity.
  private let identity: (@Sendable (ElementKey?) -> PartIdentity?)?
  private let identities: (@Sendable ([ElementKey?]) -> [PartIdentity?])?

  /// The collection that is watched while there are effects; nil if the parts aren't in a collection.
  private let collection: WatchedCollection?

  /// The effects of each part, with their numbers.
  private var parts = ElementPartTable<Part, ActiveGroups<UInt64>>()

  private var lastNumber: UInt64 = 0

  /// The first counts the effects that were added, and the parts that were checked together with all others, since
  /// parts without effects were removed. When it reaches the second, they are removed again.
  private var (looks, limit) = (0, 64)

  init(
    of identity: (@Sendable (ElementKey?) -> PartIdentity?)?,
    _ identities: (@Sendable ([ElementKey?]) -> [PartIdentity?])?,
    in collection: WatchedCollection?
  ) {
    self.identity = identity
    self.identities = identities
    self.collection = collection
  }

  /// Adds an effect. Apart from its tasks and actions, only the caller may refer to it.
  mutating func add(_ group: inout EffectGroup, of part: Part) {
    guard !isKnownUniquelyReferenced(&group) else { return }
    looks += 1
    removeSilent()
    if parts.isEmpty { collection?.watchers += 1 }
    lastNumber += 1
    parts.change(part, default: ActiveGroups()) { groups in groups.add(&group, lastNumber) }
  }

  /// Takes out the effects of parts that are missing or were replaced, in the order they were added.
  ///
  /// - Parameter touched: The elements that may have changed.
  mutating func takeGone(of touched: TouchedElements) -> [EffectGroup] {
    guard !parts.isEmpty, let identity, let identities else { return [] }
    var known: [Part] = []
    switch touched {
    case .all:
      known = Array(parts.parts(in: nil).keys)
      looks += known.count
      collection?.looks += known.count
    case .some(let elements):
      known = Array(parts.parts(in: elements).keys)
    }
    guard !known.isEmpty else { return [] }
    var gone: [ActiveGroups<UInt64>.Member] = []
    let found = known.count == 1 ? [identity(known[0].element)] : identities(known.map(\.element))
    for (part, identity) in zip(known, found) where part.identity != identity {
      gone += parts[part]?.members ?? []
      parts[part] = nil
    }
    if parts.isEmpty { collection?.watchers -= 1 } else { removeSilent() }
    return gone.sorted { $0.note < $1.note }.compactMap(\.group)
  }

  /// Removes the parts without effects, after as many were added or checked as there are effects.
  private mutating func removeSilent() {
    guard looks >= limit, !parts.isEmpty else { return }
    var left = 0
    parts.removeAll { groups in
      groups.removeSilent()
      left += groups.members.count
      return groups.members.isEmpty
    }
    (looks, limit) = (0, max(64, left))
    if parts.isEmpty { collection?.watchers -= 1 }
  }
}
