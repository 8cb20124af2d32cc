#if canImport(Darwin) || APPLE_STUBS
  public import os

  /// A value that threads read and write at the same time, under a lock: see ``AtomicNumber``.
  ///
  /// - Apple's systems have atomic values from macOS 15 and iOS 18 on only. This costs an allocation, and some
  ///   nanoseconds an operation.
  @usableFromInline
  package struct LockedValue<Value: Equatable>: ~Copyable, @unchecked Sendable {  // The lock guards the value.
    @usableFromInline let lock: OSAllocatedUnfairLock<Value>

    @inlinable
    package init(_ value: Value) { lock = OSAllocatedUnfairLock(uncheckedState: value) }

    @inlinable
    package func load() -> Value { lock.withLockUnchecked { $0 } }

    @inlinable
    package func loadRelaxed() -> Value { load() }

    @inlinable
    package func store(_ value: Value) { lock.withLockUnchecked { $0 = value } }

    @inlinable
    package func storeInTotalOrder(_ value: Value) { store(value) }

    @inlinable
    @discardableResult
    package func exchange(_ value: Value) -> Value {
      lock.withLockUnchecked { stored in
        defer { stored = value }
        return stored
      }
    }

    @inlinable
    package func compareExchange(expected: Value, desired: Value) -> (exchanged: Bool, original: Value) {
      lock.withLockUnchecked { stored in
        let original = stored
        if original == expected { stored = desired }
        return (original == expected, original)
      }
    }
  }

  extension LockedValue where Value == Int {
    @inlinable
    @discardableResult
    package func add(_ number: Int) -> Int {
      lock.withLockUnchecked { stored in
        stored += number
        return stored
      }
    }

    @inlinable
    @discardableResult
    package func subtract(_ number: Int) -> Int { add(-number) }
  }

  @usableFromInline package typealias AtomicFlag = LockedValue<Bool>
  @usableFromInline package typealias AtomicNumber = LockedValue<Int>
  @usableFromInline package typealias AtomicPointer = LockedValue<UnsafeRawPointer?>
#endif
