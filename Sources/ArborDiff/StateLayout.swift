/// The places of a struct's parts in its memory, to find quickly that two values do not differ.
///
/// - Parts that are the same to the bit do not differ. Only those whose bits are not the same are compared, by their mirrors:
///   no memory is ever taken for a value of a type.
/// - The places are those of the language's layout: each stored property behind the one before, where its alignment lets it be.
///   A struct of which a value shows that it is not laid out so, because it has an existential for one, is one part.
package struct StateLayout<State> {
  private struct Part {
    /// The bytes of the part; what lies between parts says nothing.
    let bytes: Range<Int>

    /// The way to it through the mirrors.
    let path: [Int]
  }

  private let parts: [Part]

  /// Finds the parts of a type in one of its values.
  package init(of sample: State) {
    let whole = [Part(bytes: 0..<MemoryLayout<State>.size, path: [])]
    // The memory of an existential is not that of the value in it.
    guard type(of: sample as Any) == State.self else {
      parts = whole
      return
    }
    parts = withUnsafeBytes(of: sample) { memory in
      StateLayout.parts(of: sample, in: memory, at: 0, path: []) ?? whole
    }
  }

  /// `true` if any parts differ that a ``StateDiff`` would find.
  package func differs(_ left: State, _ right: State) -> Bool {
    let others = withUnsafeBytes(of: left) { left in
      withUnsafeBytes(of: right) { right in
        parts.filter { !BitComparison.isSame(left, right, in: $0.bytes) }
      }
    }
    return others.contains { part in
      let (left, right) = (StateLayout.value(of: left, at: part.path), StateLayout.value(of: right, at: part.path))
      return !StateDiff(from: left, to: right, limits: StateDiffLimits(changes: 1)).isEmpty
    }
  }

  /// `true` if all parts of two values, whose memory is given, are the same to the bit.
  func hasSameBits(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    parts.allSatisfy { BitComparison.isSame(left, right, in: $0.bytes) }
  }

  private static func value(of state: Any, at path: [Int]) -> Any {
    path.reduce(state) { value, index in
      let children = Mirror(reflecting: value).children
      return children[children.index(children.startIndex, offsetBy: index)].value
    }
  }

  /// The parts of a value whose memory is given; nil if its memory is not that of its properties, one behind the other.
  private static func parts(
    of value: Any,
    in memory: UnsafeRawBufferPointer,
    at start: Int,
    path: [Int]
  ) -> [Part]? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple, !(value is any CustomReflectable) else {
      return nil
    }
    var parts: [Part] = []
    var offset = 0
    for (index, child) in mirror.children.enumerated() {
      func place<Value>(_ value: Value) -> [Part]? {
        let alignment = MemoryLayout<Value>.alignment
        offset = (offset + alignment - 1) / alignment * alignment
        let bytes = (start + offset)..<(start + offset + MemoryLayout<Value>.size)
        offset += MemoryLayout<Value>.size
        guard bytes.upperBound <= memory.count else { return nil }
        let path = path + [index]
        if let parts = StateLayout.parts(of: value, in: memory, at: bytes.lowerBound, path: path) { return parts }
        // A value that is kept elsewhere, with its address here, is not found.
        let isHere = withUnsafeBytes(of: value) {
          BitComparison.isSame($0, UnsafeRawBufferPointer(rebasing: memory[bytes]), in: 0..<$0.count)
        }
        return isHere ? [Part(bytes: bytes, path: path)] : nil
      }
      guard let part = _openExistential(child.value, do: place) else { return nil }
      parts += part
    }
    func size<Value>(_: Value) -> Int { MemoryLayout<Value>.size }
    return offset == _openExistential(value, do: size) ? parts : nil
  }
}
