/// The places of a struct's parts in its memory, to find out quickly that two values don't differ.
///
/// - Parts with the same bits don't differ. Only parts with different bits are compared, by their mirrors: memory is
///   never interpreted as a value of a type.
/// - The places follow the language's layout: each stored property comes after the previous one, at the next place that
///   its alignment allows. A struct that has another layout, for example because of an existential, counts as one part.
package struct StateLayout<State> {
  private struct Part {
    /// The bytes of the part. Bytes between parts have no meaning.
    let bytes: Range<Int>

    /// The path to the part through the mirrors.
    let path: [Int]
  }

  private let parts: [Part]

  /// Finds the parts of a type in one of its values.
  package init(of sample: State) {
    let whole = [Part(bytes: 0..<MemoryLayout<State>.size, path: [])]
    // The memory of an existential isn't the memory of the value in it.
    guard type(of: sample as Any) == State.self else {
      parts = whole
      return
    }
    parts = withUnsafeBytes(of: sample) { memory in
      StateLayout.parts(of: sample, in: memory, at: 0, path: []) ?? whole
    }
  }

  /// Returns `true` if any parts differ that a ``StateDiff`` would find.
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

  /// Returns `true` if all parts of two values have the same bits in the given memory.
  func hasSameBits(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    parts.allSatisfy { BitComparison.isSame(left, right, in: $0.bytes) }
  }

  private static func value(of state: Any, at path: [Int]) -> Any {
    path.reduce(state) { value, index in
      let children = Mirror(reflecting: value).children
      return children[children.index(children.startIndex, offsetBy: index)].value
    }
  }

  /// Returns the parts of a value in the given memory; nil if that doesn't consist of the value's properties, one after
  /// the other.
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
        // A value that is stored elsewhere, with only its address here, isn't found.
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
