#if canImport(Darwin) || APPLE_STUBS
  public import os
#else
  public import Synchronization
#endif

/// A value that can only be accessed while its lock is held. Arbor has no other kind of lock.
///
/// - The lock isn't recursive: locking it again on the same thread stops the program.
/// - Async functions call `withLockInAsync`.
/// - The closure of `withLock` must neither call user code nor release a user's value. Return values that must be
///   released.
@usableFromInline
package struct Protected<Value: ~Copyable & Sendable>: ~Copyable, Sendable {
  #if canImport(Darwin) || APPLE_STUBS
    // `Mutex` is only available from macOS 15 and iOS 18 on.
    @usableFromInline let lock: OSAllocatedUnfairLock<Box>

    /// The value, in a box because the lock can't hold a value that isn't copyable.
    @usableFromInline
    package final class Box: @unchecked Sendable {  // Only used while the lock is held.
      @usableFromInline
      @exclusivity(unchecked)
      var value: Value

      @inlinable
      init(_ value: consuming Value) { self.value = value }
    }

    @inlinable
    package init(_ value: consuming Value) {
      lock = OSAllocatedUnfairLock(uncheckedState: Box(value))
    }
  #else
    @usableFromInline let mutex: Mutex<Value>

    @inlinable
    package init(_ value: consuming Value) {
      mutex = Mutex(value)
    }
  #endif

  #if TSAN
    /// An object whose address identifies the lock to the thread sanitizer.
    @usableFromInline let token = Token()

    @usableFromInline
    package final class Token: Sendable {
      @usableFromInline var address: UnsafeRawPointer { UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque()) }
    }
  #endif

  @available(*, noasync, message: "after an `await`, it may use the memory of another thread: call `withLockInAsync`")
  @inlinable
  package borrowing func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    #if canImport(Darwin) || APPLE_STUBS
      lock.withLockUnchecked { box in body(&box.value) }
    #else
      mutex.withLock { value in
        #if TSAN
          // The lock's slow path is in a library that the sanitizer can't see. So the sanitizer is notified in which
          // order threads held the lock, before the value is accessed.
          threadSanitizerAcquire(token.address)
          defer { threadSanitizerRelease(token.address) }
        #endif
        return body(&value)
      }
    #endif
  }

  /// Calls a closure while the lock is held, for async functions.
  ///
  /// - Never inlined. On Linux, the lock reads the thread's number from memory of that thread. If it is inlined, the
  ///   optimizer keeps that address across an `await`. After the `await`, the function may run on another thread, and
  ///   the first one may have ended (Swift 6.3).
  @inline(never)
  package borrowing func withLockInAsync<Result>(_ body: (inout Value) -> Result) -> Result {
    withLock(body)
  }
}

#if TSAN
  @_silgen_name("__tsan_acquire") @usableFromInline func threadSanitizerAcquire(_: UnsafeRawPointer)
  @_silgen_name("__tsan_release") @usableFromInline func threadSanitizerRelease(_: UnsafeRawPointer)
#endif

#if canImport(Darwin) || APPLE_STUBS
  public import os

  /// A value under a lock that threads can read and write concurrently; see ``AtomicNumber``.
  ///
  /// - On Apple's systems, atomic values are only available from macOS 15 and iOS 18 on. This type costs an allocation,
  ///   and some nanoseconds per operation.
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
    func storeInTotalOrder(_ value: Value) { store(value) }

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
