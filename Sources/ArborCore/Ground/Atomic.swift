#if !(canImport(Darwin) || APPLE_STUBS)
  public import Synchronization

  /// A number that threads read and write at the same time.
  ///
  /// - A thread that reads a value, unless by ``loadRelaxed()``, sees all that the thread which wrote it had written
  ///   before.
  /// - All threads see the operations that read and write at once, and each ``load()`` and ``storeInTotalOrder(_:)``, in
  ///   the same order. Of these only the writing ones cost more than a variable's.
  @usableFromInline
  package struct AtomicNumber: ~Copyable, Sendable {
    @usableFromInline let value: Synchronization.Atomic<Int>

    @inlinable @inline(__always)
    package init(_ value: Int) { self.value = Synchronization.Atomic(value) }

    /// Reads the value.
    @inlinable @inline(__always)
    package func load() -> Int { value.load(ordering: .sequentiallyConsistent) }

    /// Reads the value, and need not see what was written before it.
    @inlinable @inline(__always)
    package func loadRelaxed() -> Int { value.load(ordering: .relaxed) }

    /// Writes the value.
    @inlinable @inline(__always)
    package func store(_ value: Int) { self.value.store(value, ordering: .releasing) }

    /// Writes the value, and returns the one before.
    @inlinable @inline(__always)
    @discardableResult
    package func exchange(_ value: Int) -> Int {
      self.value.exchange(value, ordering: .sequentiallyConsistent)
    }

    /// Writes a value if the one before is as expected. Returns whether it was, and the one before.
    @inlinable @inline(__always)
    package func compareExchange(expected: Int, desired: Int) -> (exchanged: Bool, original: Int) {
      value.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
    }

    /// Adds a number, and returns the sum.
    @inlinable @inline(__always)
    @discardableResult
    package func add(_ number: Int) -> Int { value.add(number, ordering: .sequentiallyConsistent).newValue }

    /// Subtracts a number, and returns the difference.
    @inlinable @inline(__always)
    @discardableResult
    package func subtract(_ number: Int) -> Int {
      value.subtract(number, ordering: .sequentiallyConsistent).newValue
    }
  }

  /// A truth value that threads read and write at the same time.
  ///
  /// - Its operations are ordered as those of an ``AtomicNumber``.
  @usableFromInline
  package struct AtomicFlag: ~Copyable, Sendable {
    @usableFromInline let value: Synchronization.Atomic<Bool>

    @inlinable @inline(__always)
    package init(_ value: Bool) { self.value = Synchronization.Atomic(value) }

    /// Reads the value.
    @inlinable @inline(__always)
    package func load() -> Bool { value.load(ordering: .sequentiallyConsistent) }

    /// Reads the value, and need not see what was written before it.
    @inlinable @inline(__always)
    package func loadRelaxed() -> Bool { value.load(ordering: .relaxed) }

    /// Writes the value.
    @inlinable @inline(__always)
    package func store(_ value: Bool) { self.value.store(value, ordering: .releasing) }

    /// Writes the value, in the order that all threads see.
    @inlinable @inline(__always)
    func storeInTotalOrder(_ value: Bool) { self.value.store(value, ordering: .sequentiallyConsistent) }

    /// Writes the value, and returns the one before.
    @inlinable @inline(__always)
    @discardableResult
    package func exchange(_ value: Bool) -> Bool {
      self.value.exchange(value, ordering: .sequentiallyConsistent)
    }
  }

  /// A pointer that threads read and write at the same time.
  ///
  /// - Its operations are ordered as those of an ``AtomicNumber``.
  @usableFromInline
  package struct AtomicPointer: ~Copyable, @unchecked Sendable {  // Who uses the pointer answers for what is there.
    @usableFromInline let value: Synchronization.Atomic<UnsafeRawPointer?>

    @inlinable @inline(__always)
    package init(_ value: UnsafeRawPointer?) { self.value = Synchronization.Atomic(value) }

    /// Reads the value.
    @inlinable @inline(__always)
    package func load() -> UnsafeRawPointer? { value.load(ordering: .sequentiallyConsistent) }

    /// Writes the value, and returns the one before.
    @inlinable @inline(__always)
    @discardableResult
    package func exchange(_ value: UnsafeRawPointer?) -> UnsafeRawPointer? {
      self.value.exchange(value, ordering: .sequentiallyConsistent)
    }

    /// Writes a value if the one before is as expected. Returns whether it was, and the one before.
    @inlinable @inline(__always)
    package func compareExchange(expected: UnsafeRawPointer?, desired: UnsafeRawPointer?) -> (
      exchanged: Bool, original: UnsafeRawPointer?
    ) {
      value.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
    }
  }
#endif

/// A reference that threads read and write at the same time, to an object that the program retains and releases itself.
///
/// - Its operations are ordered as those of an ``AtomicNumber``.
@usableFromInline
package struct AtomicReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  // Sendable because who uses the object answers for it.

  @usableFromInline let pointer: AtomicPointer

  @inlinable @inline(__always)
  package init(_ reference: Unmanaged<Object>?) {
    pointer = AtomicPointer(reference.map { UnsafeRawPointer($0.toOpaque()) })
  }

  /// Reads the reference.
  @inlinable @inline(__always)
  package func load() -> Unmanaged<Object>? { pointer.load().map(Unmanaged.fromOpaque) }

  /// Writes the reference, and returns the one before.
  @inlinable @inline(__always)
  package func exchange(_ reference: Unmanaged<Object>?) -> Unmanaged<Object>? {
    pointer.exchange(reference.map { UnsafeRawPointer($0.toOpaque()) }).map(Unmanaged.fromOpaque)
  }

  /// Writes a reference if the one before is as expected. Returns whether it was, and the one before.
  @inlinable @inline(__always)
  package func compareExchange(
    expected: Unmanaged<Object>?,
    desired: Unmanaged<Object>
  ) -> (exchanged: Bool, original: Unmanaged<Object>?) {
    let (exchanged, original) = pointer.compareExchange(
      expected: expected.map { UnsafeRawPointer($0.toOpaque()) },
      desired: UnsafeRawPointer(desired.toOpaque())
    )
    return (exchanged, original.map(Unmanaged.fromOpaque))
  }
}

/// An object that is stored once.
@usableFromInline
package struct AtomicLazyObject<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let reference = AtomicReference<Object>(nil)

  @inlinable
  package init() {}

  /// The object; nil if none was stored.
  @inlinable
  package func load() -> Object? { reference.load()?.takeUnretainedValue() }

  /// Stores an object, unless there is one. Returns the one that is stored.
  @inlinable
  package func storeIfNil(_ object: Object) -> Object {
    let added = Unmanaged.passRetained(object)
    guard let stored = reference.compareExchange(expected: nil, desired: added).original else { return object }
    added.release()
    return stored.takeUnretainedValue()
  }

  deinit { reference.load()?.release() }
}
