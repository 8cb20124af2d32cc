extension BinaryKeyedDecoding {
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try value(type, key) { $0.bool(&$1) }
  }

  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(type, key) { $0.string(&$1) }
  }

  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(type, key) { $0.double(&$1) }
  }

  func decode(_ type: Float.Type, forKey key: Key) throws -> Float {
    try value(type, key) { $0.float(&$1) }
  }

  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 {
    try value(type, key) { $0.integer(&$1, as: type) }
  }

  // MARK: Values that may be missing

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try valueIfPresent(type, key) { $0.bool(&$1) }
  }

  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try valueIfPresent(type, key) { $0.string(&$1) }
  }

  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try valueIfPresent(type, key) { $0.double(&$1) }
  }

  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try valueIfPresent(type, key) { $0.float(&$1) }
  }

  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: Int128.Type, forKey key: Key) throws -> Int128? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }

  @available(macOS 15, iOS 18, tvOS 18, watchOS 11, visionOS 2, *)
  func decodeIfPresent(_ type: UInt128.Type, forKey key: Key) throws -> UInt128? {
    try valueIfPresent(type, key) { $0.integer(&$1, as: type) }
  }
}
