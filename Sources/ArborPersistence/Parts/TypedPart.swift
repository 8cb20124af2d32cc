internal import Arbor

internal import struct Foundation.Data

/// A persisted part with its type.
struct TypedPart<State: Sendable, Value: Codable & Sendable>: PersistedPart {
  let path: any WritableKeyPath<State, Value> & Sendable
  let name: String
  let version: Int
  let migrations: MigrationChain
  let coding: any StorageCoding
  let duplicates: Equating<State>?

  func load(_ stored: StoredPart, into state: inout State) throws(StoredValueError) -> Set<String> {
    let (value, filled) = try migrations.read(
      Value.self,
      (stored.bytes, stored.differences, stored.version, stored.coding),
      declared: coding,
      over: state[keyPath: path]
    )
    state[keyPath: path] = value
    return filled
  }

  func whole(_ state: State) throws -> StoredPart {
    StoredPart(name: name, version: version, coding: coding.name, bytes: try bytes(of: state[keyPath: path]))
  }

  func copy(from old: State, to state: inout State) { state[keyPath: path] = old[keyPath: path] }

  func bytes(of value: Value) throws -> [UInt8] { Array(try coding.encode(value)) }

  func makeChangeCheck(from state: State) -> (_ new: State) -> Bool {
    let old = state[keyPath: path]
    return { [path] state in
      let new = state[keyPath: path]
      if haveIdenticalMemory(old, new) { return false }
      // Later actions may depend on a change that `==` doesn't detect, such as the sign of a zero or the normal form of
      // a string. A table's version changes with any of these.
      return !areEqual(old, new) || !(Value.self is any DifferenceCodable.Type) && !haveEqualBytes(old, new)
    }
  }

  func isUnequal(_ left: State, _ right: State) -> Bool {
    let (left, right) = (left[keyPath: path], right[keyPath: path])
    // Compares the contents of wrapped values, because their stamps differ if the same change is made twice.
    let isUnequal = StampedContents.compared(by: { !areUnequal($0, $1) }, { areUnequal(left, right) })
    // A value that isn't equal to its own copy, such as NaN, is compared by its bytes. That isn't possible if each copy
    // has different bytes, as a set may have.
    return isUnequal && !haveEqualBytes(left, right) && hasStableBytes(left) && hasStableBytes(right)
  }

  /// Returns `true` if two values have the same bytes in memory. Then they are identical, because both are still
  /// retained.
  private func haveIdenticalMemory(_ old: Value, _ new: Value) -> Bool {
    func copy(_ value: Value) -> UnsafeMutableRawBufferPointer {
      let copy = UnsafeMutableRawBufferPointer.allocate(
        byteCount: MemoryLayout<Value>.size,
        alignment: MemoryLayout<Value>.alignment
      )
      // The padding between the properties of a value isn't copied with it.
      copy.initializeMemory(as: UInt8.self, repeating: 0)
      copy.baseAddress?.initializeMemory(as: Value.self, to: value)
      return copy
    }
    let copies = (copy(old), copy(new))
    defer {
      for copy in [copies.0, copies.1] {
        copy.baseAddress?.assumingMemoryBound(to: Value.self).deinitialize(count: 1)
        copy.deallocate()
      }
    }
    return copies.0.elementsEqual(copies.1)
  }

  /// Returns `true` if two values can be encoded and have the same bytes.
  private func haveEqualBytes(_ old: Value, _ new: Value) -> Bool {
    guard let bytes = try? bytes(of: old) else { return false }
    return bytes == (try? self.bytes(of: new))
  }

  /// Returns `true` if a value can be encoded and its decoded copies encode to the same bytes.
  private func hasStableBytes(_ value: Value) -> Bool {
    guard let bytes = try? bytes(of: value) else { return false }
    return (0..<8).allSatisfy { _ in
      guard let copy = try? coding.decode(Value.self, from: Data(bytes)) else { return false }
      return bytes == (try? self.bytes(of: copy))
    }
  }

  /// Returns `true` if two values are known to be equal, by the stamp of a table or by `==`.
  ///
  /// - Values that aren't equal to themselves, such as NaN, are compared by their bytes.
  func areEqual(_ old: Value, _ new: Value) -> Bool {
    func isSame<Table: DifferenceCodable>(_ old: Table) -> Bool { old.isSameVersion(as: new as! Table) }
    func isEqual<Equal: Equatable>(_ equatable: Equal) -> Bool {
      equatable == new as! Equal || equatable != equatable && haveEqualBytes(old, new)
    }
    if let old = old as? any DifferenceCodable { return isSame(old) }
    if let old = old as? any Equatable { return isEqual(old) }
    return false
  }

  func makeComparison() -> any PartComparison<State> {
    if let duplicates { return EquatingComparison(of: self, duplicates) }
    if Value.self is any DifferenceCodable.Type || Value.self is any Equatable.Type { return ValueComparison(of: self) }
    return BytesComparison(of: self)
  }
}

/// Returns `true` if two values of one type are unequal by `==`; `false` if the type has no `==`.
private func areUnequal(_ left: Any, _ right: Any) -> Bool {
  func isUnequal<Equal: Equatable>(_ left: Equal) -> Bool { left != right as? Equal }
  guard let left = left as? any Equatable else { return false }
  return isUnequal(left)
}

/// A comparison with the value that was saved last.
private final class ValueComparison<State: Sendable, Value: Codable & Sendable>: PartComparison {
  private let part: TypedPart<State, Value>
  private var saved: Value?
  private var candidate: Value?

  init(of part: TypedPart<State, Value>) {
    self.part = part
  }

  func isChanged(in state: State) -> Bool {
    saved.map { !part.areEqual($0, state[keyPath: part.path]) } ?? true
  }

  func change(to state: State) throws -> PartChange? {
    guard isChanged(in: state) else { return nil }
    let value = state[keyPath: part.path]
    if let saved, let difference = try difference(from: saved, to: value) {
      candidate = value
      return .difference(name: part.name, difference)
    }
    return .value(try whole(state))
  }

  func whole(_ state: State) throws -> StoredPart {
    candidate = state[keyPath: part.path]
    return try part.whole(state)
  }

  private func difference(from old: Value, to new: Value) throws -> [UInt8]? {
    func difference<Table: DifferenceCodable>(from old: Table) throws -> [UInt8]? {
      try (new as! Table).codableDifference(from: old).map { Array(try part.coding.encode($0)) }
    }
    guard let old = old as? any DifferenceCodable else { return nil }
    return try difference(from: old)
  }

  func didSave() {
    if let candidate { saved = candidate }
    candidate = nil
  }

  func begin(with state: State) { saved = state[keyPath: part.path] }
}

/// A comparison by a rule for states, which keeps the compared state.
private final class EquatingComparison<State: Sendable, Value: Codable & Sendable>: PartComparison {
  private let part: TypedPart<State, Value>
  private let isDuplicate: DuplicateCheck<State>

  /// `true` if the last compared state is saved.
  private var isSaved = false

  init(of part: TypedPart<State, Value>, _ equating: Equating<State>) {
    self.part = part
    isDuplicate = equating.makeDuplicateCheck()
  }

  func isChanged(in state: State) -> Bool {
    // If the states differ, the check keeps the new state, which isn't saved.
    isSaved = isSaved && isDuplicate(state)
    return !isSaved
  }

  func change(to state: State) throws -> PartChange? {
    isChanged(in: state) ? .value(try whole(state)) : nil
  }

  func whole(_ state: State) throws -> StoredPart {
    isDuplicate.keep(state)
    isSaved = false
    return try part.whole(state)
  }

  func didSave() { isSaved = true }

  func begin(with state: State) {
    isDuplicate.keep(state)
    isSaved = true
  }
}

/// A comparison with the bytes that were saved last, for values without `==`.
private final class BytesComparison<State: Sendable, Value: Codable & Sendable>: PartComparison {
  private let part: TypedPart<State, Value>
  private var saved: [UInt8]?
  private var candidate: [UInt8]?

  /// The value that was saved last, until its bytes are needed. It is encoded by the next save instead of
  /// `begin(with:)`.
  private var unencoded: Value?

  init(of part: TypedPart<State, Value>) {
    self.part = part
  }

  func isChanged(in state: State) -> Bool {
    guard let whole = try? part.whole(state) else { return true }
    return whole.bytes != savedBytes()
  }

  private func savedBytes() -> [UInt8]? {
    if let value = unencoded.take() { saved = try? part.bytes(of: value) }
    return saved
  }

  func change(to state: State) throws -> PartChange? {
    let whole = try whole(state)
    return whole.bytes == savedBytes() ? nil : .value(whole)
  }

  func whole(_ state: State) throws -> StoredPart {
    let whole = try part.whole(state)
    candidate = whole.bytes
    return whole
  }

  func didSave() {
    if let candidate { (saved, unencoded) = (candidate, nil) }
    candidate = nil
  }

  func begin(with state: State) { (saved, unencoded) = (nil, state[keyPath: part.path]) }
}
