#if !(canImport(Darwin) || APPLE_STUBS)
  public import Synchronization

  /// A number that threads can read and write concurrently.
  ///
  /// - A thread that reads a value, except with ``loadRelaxed()``, sees everything the thread that wrote it had written
  ///   before.
  /// - All threads see the operations that both read and write, each ``load()`` and each ``storeInTotalOrder(_:)`` in
  ///   the same order. Of these, only the writing ones cost more than access to a plain variable.
  @usableFromInline
  package struct AtomicNumber: ~Copyable, Sendable {
    @usableFromInline let value: Synchronization.Atomic<Int>

    @inlinable @inline(__always)
    package init(_ value: Int) { self.value = Synchronization.Atomic(value) }

    /// Reads the value.
    @inlinable @inline(__always)
    package func load() -> Int { value.load(ordering: .sequentiallyConsistent) }

    /// Reads the value, without a guarantee of seeing anything written before it.
    @inlinable @inline(__always)
    package func loadRelaxed() -> Int { value.load(ordering: .relaxed) }

    /// Writes the value.
    @inlinable @inline(__always)
    package func store(_ value: Int) { self.value.store(value, ordering: .releasing) }

    /// Writes the value, and returns the previous one.
    @inlinable @inline(__always)
    @discardableResult
    package func exchange(_ value: Int) -> Int {
      self.value.exchange(value, ordering: .sequentiallyConsistent)
    }

    /// Writes a value if the current one is as expected. Returns if it was, and the current one.
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

  /// A Boolean that threads can read and write concurrently.
  ///
  /// - Its operations are ordered like those of an ``AtomicNumber``.
  @usableFromInline
  package struct AtomicFlag: ~Copyable, Sendable {
    @usableFromInline let value: Synchronization.Atomic<Bool>

    @inlinable @inline(__always)
    package init(_ value: Bool) { self.value = Synchronization.Atomic(value) }

    /// Reads the value.
    @inlinable @inline(__always)
    package func load() -> Bool { value.load(ordering: .sequentiallyConsistent) }

    /// Reads the value, without a guarantee of seeing anything written before it.
    @inlinable @inline(__always)
    package func loadRelaxed() -> Bool { value.load(ordering: .relaxed) }

    /// Writes the value.
    @inlinable @inline(__always)
    package func store(_ value: Bool) { self.value.store(value, ordering: .releasing) }

    /// Writes the value, in the order that all threads see.
    @inlinable @inline(__always)
    func storeInTotalOrder(_ value: Bool) { self.value.store(value, ordering: .sequentiallyConsistent) }

    /// Writes the value, and returns the previous one.
    @inlinable @inline(__always)
    @discardableResult
    package func exchange(_ value: Bool) -> Bool {
      self.value.exchange(value, ordering: .sequentiallyConsistent)
    }
  }

  /// A pointer that threads can read and write concurrently.
  ///
  /// - Its operations are ordered like those of an ``AtomicNumber``.
  @usableFromInline
  package struct AtomicPointer: ~Copyable, @unchecked Sendable {  // Its user is responsible for the memory.
    @usableFromInline let value: Synchronization.Atomic<UnsafeRawPointer?>

    @inlinable @inline(__always)
    package init(_ value: UnsafeRawPointer?) { self.value = Synchronization.Atomic(value) }

    /// Reads the value.
    @inlinable @inline(__always)
    package func load() -> UnsafeRawPointer? { value.load(ordering: .sequentiallyConsistent) }

    /// Writes the value, and returns the previous one.
    @inlinable @inline(__always)
    @discardableResult
    package func exchange(_ value: UnsafeRawPointer?) -> UnsafeRawPointer? {
      self.value.exchange(value, ordering: .sequentiallyConsistent)
    }

    /// Writes a value if the current one is as expected. Returns if it was, and the current one.
    @inlinable @inline(__always)
    package func compareExchange(expected: UnsafeRawPointer?, desired: UnsafeRawPointer?) -> (
      exchanged: Bool, original: UnsafeRawPointer?
    ) {
      value.compareExchange(expected: expected, desired: desired, ordering: .sequentiallyConsistent)
    }
  }
#endif

/// A reference that threads can read and write concurrently, to an object that the program retains and releases
/// manually.
///
/// - Its operations are ordered like those of an ``AtomicNumber``.
@usableFromInline
package struct AtomicReference<Object: AnyObject>: ~Copyable, @unchecked Sendable {
  // Sendable because the user of the object is responsible for it.

  @usableFromInline let pointer: AtomicPointer

  @inlinable @inline(__always)
  package init(_ reference: Unmanaged<Object>?) {
    pointer = AtomicPointer(reference.map { UnsafeRawPointer($0.toOpaque()) })
  }

  /// Reads the reference.
  @inlinable @inline(__always)
  package func load() -> Unmanaged<Object>? { pointer.load().map(Unmanaged.fromOpaque) }

  /// Writes the reference, and returns the previous one.
  @inlinable @inline(__always)
  package func exchange(_ reference: Unmanaged<Object>?) -> Unmanaged<Object>? {
    pointer.exchange(reference.map { UnsafeRawPointer($0.toOpaque()) }).map(Unmanaged.fromOpaque)
  }

  /// Writes a reference if the current one is as expected. Returns if it was, and the current one.
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

  /// Returns the object; nil if none was stored.
  @inlinable
  package func load() -> Object? { reference.load()?.takeUnretainedValue() }

  /// Stores an object unless there is one already. Returns the stored object.
  @inlinable
  package func storeIfNil(_ object: Object) -> Object {
    let added = Unmanaged.passRetained(object)
    guard let stored = reference.compareExchange(expected: nil, desired: added).original else { return object }
    added.release()
    return stored.takeUnretainedValue()
  }

  deinit { reference.load()?.release() }
}
