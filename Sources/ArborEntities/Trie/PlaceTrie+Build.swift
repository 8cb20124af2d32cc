extension PlaceTrie {
  /// Finds many places at once: they are sorted by their hashes and each node is made once, as large as it need be.
  ///
  /// - The nodes of one level lie beside each other, which is also the order in which they are found.
  ///
  /// - Parameter meet: Called with each two slots whose hashes are equal.
  @inlinable
  init(of unsorted: [Place], meet: (_ slot: Int, _ other: Int) -> Void) {
    guard !unsorted.isEmpty else { return }
    var (places, other) = (unsorted, unsorted)
    root = places.withUnsafeMutableBufferPointer { places in
      other.withUnsafeMutableBufferPointer { other in
        PlaceTrie.node(of: places, sparing: other, shift: 0, meet)
      }
    }
  }

  /// A node with all places of a buffer, which is sorted on the way into another one.
  @inlinable
  static func node(
    of places: UnsafeMutableBufferPointer<Place>,
    sparing other: UnsafeMutableBufferPointer<Place>,
    shift: Int,
    _ meet: (Int, Int) -> Void
  ) -> Node {
    guard places.count > Node.fullBag, shift < UInt32.bitWidth else {
      let bag = Node.bag(for: places.count)
      for place in places { bag.insert(place, shift) { meet($0, Int(place.slot)) } }
      return bag
    }
    return withUnsafeTemporaryAllocation(of: Int.self, capacity: TrieHeader.width + 1) { ends in
      // Where the places of each child end in the end; before that, where the next one goes.
      ends.initialize(repeating: 0)
      for place in places { ends[TrieHeader.place(in: place.hash, shift) + 1] += 1 }
      for child in 1...TrieHeader.width { ends[child] += ends[child - 1] }
      for place in places {
        let child = TrieHeader.place(in: place.hash, shift)
        other[ends[child]] = place
        ends[child] += 1
      }
      var start = 0
      let taken = ends.indices.dropLast().filter { child in
        defer { start = ends[child] }
        return ends[child] > start
      }
      let branch = Node.branch(capacity: TrieHeader.capacity(for: taken.count, isGrowing: false))
      start = 0
      for child in taken {
        let range = start..<ends[child]
        let part = UnsafeMutableBufferPointer(rebasing: other[range])
        branch.insert(
          node(of: part, sparing: .init(rebasing: places[range]), shift: shift + TrieHeader.bits, meet),
          at: child
        )
        start = ends[child]
      }
      return branch
    }
  }
}
