/// The elements of a list, up to the number that is visited.
package struct ElementList {
  private let storage: any ElementStorage

  /// `true` if the list has more elements, in unknown number.
  package let hasMore: Bool

  init(_ array: some ElementStorage) {
    storage = array
    hasMore = false
  }

  /// Takes the elements that a mirror shows, up to a limit.
  init(_ children: Mirror.Children, atMost limit: Int) {
    let elements = children.prefix(limit).map(\.value)
    storage = elements
    hasMore = elements.count == limit && children.dropFirst(limit).first != nil
  }

  package var count: Int { storage.count }

  package subscript(index: Int) -> Any { storage.element(at: index) }

  /// Counts the elements that have the same bits as those of another list, forward or backward from two places, up to
  /// the first that differs, or up to a limit.
  func countSame(as other: ElementList, from places: (Int, Int), by step: Int, atMost limit: Int) -> Int {
    limit > 0 ? storage.countSame(as: other.storage, from: places, by: step, atMost: limit) : 0
  }
}

/// Elements that are stored next to each other, so that they can be compared by their bits.
protocol ElementStorage {
  var count: Int { get }
  func element(at index: Int) -> Any
  func countSame(as other: any ElementStorage, from places: (Int, Int), by step: Int, atMost limit: Int) -> Int
}

extension Array: ElementStorage {
  func element(at index: Int) -> Any { self[index] }

  /// Returns an element as a value of its own type, if `Element` is `Any` or `any Sendable`: then ``element(at:)`` is
  /// an existential in another. An existential of a protocol with requirements stays unchanged, and its unused bytes
  /// count.
  private func opened(_ index: Int) -> Any { ([self[index]] as Any as! [Any])[0] }

  private var isExistential: Bool { !isEmpty && type(of: opened(0)) != Element.self }

  func countSame(as other: any ElementStorage, from places: (Int, Int), by step: Int, atMost limit: Int) -> Int {
    guard let other = other as? Self else { return 0 }
    var comparison = BitwiseComparison<Element>()
    let isExistential = self.isExistential
    return withUnsafeBytes { memory in
      other.withUnsafeBytes { otherMemory in
        func bytes(_ memory: UnsafeRawBufferPointer, _ index: Int, count: Int = 1) -> UnsafeRawBufferPointer {
          let start = index * MemoryLayout<Element>.stride
          let length = (count - 1) * MemoryLayout<Element>.stride + MemoryLayout<Element>.size
          return UnsafeRawBufferPointer(rebasing: memory[start..<(start + length)])
        }
        if step == 1 {
          // All at once, which is by far the fastest if nothing differs.
          let (all, others) = (bytes(memory, places.0, count: limit), bytes(otherMemory, places.1, count: limit))
          if BitComparison.isSame(all, others, in: 0..<all.count) { return limit }
        }
        for number in 0..<limit {
          let (index, otherIndex) = (places.0 + number * step, places.1 + number * step)
          var isSame = comparison.isSame(bytes(memory, index), bytes(otherMemory, otherIndex), self[index])
          // An existential has bytes that a small value in it doesn't use.
          if !isSame, isExistential { isSame = BitComparison.isSame(opened(index), other.opened(otherIndex)) }
          guard isSame else { return number }
        }
        return limit
      }
    }
  }
}
