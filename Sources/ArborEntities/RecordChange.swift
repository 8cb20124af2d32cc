/// The change of a record, for the indexes.
@usableFromInline
struct RecordChange<Element> {
  @usableFromInline let slot: Int

  /// Nil for one that came.
  @usableFromInline let old: Element?

  /// Nil for one that went.
  @usableFromInline let new: Element?

  @inlinable
  init(_ slot: Int, from old: Element?, to new: Element?) {
    self.slot = slot
    self.old = old
    self.new = new
  }

  /// The same changes, each slot once: what has become of it from the first to the last.
  @usableFromInline
  static func joined(_ changes: [RecordChange]) -> [RecordChange] {
    var numbers: [Int: Int] = [:]
    var joined: [RecordChange] = []
    for change in changes {
      if let number = numbers[change.slot] {
        joined[number] = RecordChange(change.slot, from: joined[number].old, to: change.new)
      } else {
        numbers[change.slot] = joined.count
        joined.append(change)
      }
    }
    return joined
  }
}
