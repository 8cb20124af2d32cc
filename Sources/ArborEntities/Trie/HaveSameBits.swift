/// `true` if two values are the same to the bit. While both are kept, that is to be the same value: what changes a
/// collection inside of one of them copies it.
@inlinable
func haveSameBits<Value>(_ left: Value, _ right: Value) -> Bool {
  withUnsafeBytes(of: left) { left in
    withUnsafeBytes(of: right) { right in
      var offset = 0
      while offset + 8 <= left.count {
        if left.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
          != right.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
        {
          return false
        }
        offset += 8
      }
      while offset < left.count {
        if left[offset] != right[offset] { return false }
        offset += 1
      }
      return true
    }
  }
}
