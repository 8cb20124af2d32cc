/// Slots in a manual order: each has a label, and the labels are in ascending order.
///
/// - If no label is left between two others, the labels around them are spread over the smallest range that is not
///   crowded. So this happens rarely (list labeling, after Dietz and Sleator).
struct ManualPlaces: Sendable {
  private(set) var tree = OrderedTree<Int>()
  private var labels = SlotTrie<Int>()

  /// The distance between labels at the ends.
  private static let step = 1 << 32

  var count: Int { tree.count }

  func contains(_ slot: Int) -> Bool {
    labels.pointer(to: slot) != nil
  }

  func slot(at position: Int) -> Int { tree[position].slot }

  /// The position of a slot that is in the order.
  func position(of slot: Int) -> Int {
    let label = labels.pointer(to: slot)!.pointee
    return tree.position { $0.key < label }
  }

  var slots: [Int] { tree.entries.map(\.slot) }

  mutating func insert(_ slot: Int, at position: Int) {
    var label = label(at: position)
    if label == nil {
      makeRoom(at: position)
      label = self.label(at: position)
    }
    enter(slot, label!)
  }

  mutating func remove(_ slot: Int) {
    tree.remove(OrderedEntry(labels.remove(slot), slot)) { $0 < $1 }
  }

  /// Appends slots that are not in the order.
  mutating func append(_ slots: [Int]) {
    for slot in slots { insert(slot, at: count) }
  }

  /// A label between the slots at a position and before it; nil if there is none.
  private func label(at position: Int) -> Int? {
    let before = position > 0 ? tree[position - 1].key : nil
    let behind = position < count ? tree[position].key : nil
    switch (before, behind) {
    case (nil, nil): return 0
    case (let before?, nil): return before > Int.max - ManualPlaces.step ? nil : before + ManualPlaces.step
    case (nil, let behind?): return behind < Int.min + ManualPlaces.step ? nil : behind - ManualPlaces.step
    case (let before?, let behind?):
      // Their difference may overflow an integer.
      let middle = (before & behind) + ((before ^ behind) >> 1)
      return middle > before ? middle : nil
    }
  }

  /// Spreads the labels around a position.
  private mutating func makeRoom(at position: Int) {
    let centre = position > 0 ? tree[position - 1].key : 0
    var bits = 1
    var limit = 1.0
    // At an end, no labels are left on that side.
    while bits < 62, position > 0, position < count {
      // The wider the range, the less crowded it must be.
      limit *= 2 / 1.3
      let size = 1 << bits
      let start = centre & ~(size - 1)
      let range = tree.position { $0.key < start }..<tree.position { $0.key <= start + (size - 1) }
      if Double(range.count) < limit, size / (range.count + 1) > 1 {
        return spread(range, from: start, by: size / (range.count + 1))
      }
      bits += 1
    }
    spread(0..<count, from: -(count / 2) * ManualPlaces.step, by: ManualPlaces.step)
  }

  private mutating func spread(_ range: Range<Int>, from start: Int, by step: Int) {
    let slots = range.map { tree[$0].slot }
    for slot in slots { remove(slot) }
    for (index, slot) in slots.enumerated() { enter(slot, start + (index + 1) * step) }
  }

  private mutating func enter(_ slot: Int, _ label: Int) {
    tree.insert(OrderedEntry(label, slot)) { $0 < $1 }
    labels.insert(label, at: slot)
  }

  /// Stops the program unless both parts are consistent.
  func check() {
    tree.root?.check()
    precondition(tree.count == labels.count, "a manual order has a place without a slot")
    var last: Int?
    for entry in tree.entries {
      precondition(labels[entry.slot] == entry.key, "a manual order has two places for a slot")
      precondition(last.map { $0 < entry.key } ?? true, "a manual order has two slots with one label")
      last = entry.key
    }
  }
}
