import ArborUI
import Testing

extension ListUpdate {
  /// Changes a list as a `UICollectionView` does in a batch: first it removes deleted and moved items, from the end on;
  /// then it inserts new and moved items, from the start on.
  func batch(_ old: [ID], to new: [ID]) -> [ID] {
    var list = old
    for offset in (deletes + moves.map(\.old)).sorted(by: >) { list.remove(at: offset) }
    let moved = moves.map { (offset: $0.new, id: old[$0.old]) }
    for (offset, id) in (inserts.map { ($0, new[$0]) } + moved).sorted(by: { $0.0 < $1.0 }) {
      list.insert(id, at: offset)
    }
    return list
  }

  /// Expects the update to turn one list into another, and to be valid for a view.
  func expect(
    from old: [ID],
    to new: [ID],
    changed: Set<ID> = [],
    _ comment: Comment? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    func check(_ condition: Bool, _ what: Comment) {
      #expect(condition, "\(what), \(comment ?? ""): \(self), \(old), \(new)", sourceLocation: sourceLocation)
    }
    check(batch(old, to: new) == new, "a view turns the one into the other")
    var list = old
    apply(to: &list) { new[$0] }
    check(list == new, "apply(to:) does, too")
    for offsets in [deletes, inserts, moves.map(\.new), reloads.map(\.new)] {
      check(zip(offsets, offsets.dropFirst()).allSatisfy(<), "offsets ascend")
    }
    check(Set(deletes).isDisjoint(with: moves.map(\.old)), "a removed item does not move")
    check(Set(inserts).isDisjoint(with: moves.map(\.new)), "an inserted item does not move")
    check((moves + reloads).allSatisfy { old[$0.old] == $0.id && new[$0.new] == $0.id }, "an item is in both lists")
    check(Set(reloads.map(\.id)) == changed.intersection(old).intersection(new), "what changed and stays is reloaded")
  }
}
