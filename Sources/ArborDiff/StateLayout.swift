/// Where in the memory of a struct its parts are, to find quickly that two values do not differ.
///
/// - What is the same to the bit does not differ: only parts whose bits are not the same are compared by their own parts.
/// - The places are those of the language's layout: each stored property behind the one before, where its alignment lets it be. A
///   type that is not laid out so is one part.
package struct StateLayout<State> {
  private struct Part {
    let offset: Int
    let size: Int
    let type: Any.Type
  }

  private var parts: [Part] = []

  /// Finds the parts of a type in one of its values.
  package init(of sample: State) {
    parts =
      StateLayout.parts(of: sample, at: 0) ?? [
        Part(offset: 0, size: MemoryLayout<State>.size, type: State.self)
      ]
  }

  /// Whether any parts differ that a ``StateDiff`` would find.
  package func differs(_ left: State, _ right: State) -> Bool {
    withUnsafeBytes(of: left) { left in
      withUnsafeBytes(of: right) { right in
        parts.contains { part in differs(part, left, right) }
      }
    }
  }

  private func differs(_ part: Part, _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Bool {
    let bytes = part.offset..<(part.offset + part.size)
    guard !BitComparison.isSame(left, right, in: bytes) else { return false }
    func load<Value>(_: Value.Type) -> (Value, Value) {
      func value(_ buffer: UnsafeRawBufferPointer) -> Value {
        (buffer.baseAddress! + part.offset).assumingMemoryBound(to: Value.self).pointee
      }
      return (value(left), value(right))
    }
    func differs<Value>(_ type: Value.Type) -> Bool {
      let (left, right) = load(type)
      if let left = left as? any ContiguousElements, left.hasBits(of: right) { return false }
      return !StateDiff(from: left, to: right, limits: StateDiffLimits(changes: 1)).isEmpty
    }
    return _openExistential(part.type, do: differs)
  }

  /// The parts of a value of which only the alignment is known to tell where they are; nil if that does not tell.
  private static func parts(of value: Any, at start: Int) -> [Part]? {
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct || mirror.displayStyle == .tuple, !(value is any CustomReflectable) else {
      return nil
    }
    var parts: [Part] = []
    var offset = 0
    for child in mirror.children {
      func place<Value>(_ value: Value) -> Part {
        let alignment = MemoryLayout<Value>.alignment
        offset = (offset + alignment - 1) / alignment * alignment
        defer { offset += MemoryLayout<Value>.size }
        return Part(offset: start + offset, size: MemoryLayout<Value>.size, type: Value.self)
      }
      let part = _openExistential(child.value, do: place)
      parts += StateLayout.parts(of: child.value, at: part.offset) ?? [part]
    }
    func size<Value>(_: Value) -> Int { MemoryLayout<Value>.size }
    return offset == _openExistential(value, do: size) ? parts : nil
  }
}
