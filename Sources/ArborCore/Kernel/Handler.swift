/// The handler of entries of one type: it runs each of them when its turn comes.
///
/// - Every entry begins with a pointer to its handler, so that entries of any type can wait in one queue.
/// - The pointer doesn't retain the handler: the code that appends an entry must keep the handler alive until the entry
///   has run.
@usableFromInline
package final class Handler: @unchecked Sendable {  // Only the closures use the owner, on the queue.
  @inlinable static var largestPayload: Int { 512 }
  @inlinable static var alignment: Int { 8 }

  /// The size of a payload in the queue, in bytes.
  ///
  /// - A multiple of the alignment, and not zero, so that each payload has its own pointer.
  let stride: Int

  /// The object that acts on the payloads, not retained.
  ///
  /// - The closures receive it as an argument, so that they don't need to capture it, which would cost memory.
  private let owner: Unmanaged<AnyObject>

  private let runPayload: @Sendable (Unmanaged<AnyObject>, UnsafeMutableRawPointer) -> Void
  private let describePayload: @Sendable (Unmanaged<AnyObject>, UnsafeRawPointer) -> WaitingEntry

  /// Makes the handler of payloads, each of which waits together with a stamp.
  ///
  /// - Parameters:
  ///   - owner: The object that is passed to the closures, which should capture nothing. The code that keeps the
  ///     handler must keep the owner alive, too.
  ///   - act: Acts on a payload that was taken from the queue.
  ///   - describe: Describes a payload that waits in the queue.
  @inlinable
  convenience init<Target: AnyObject, Payload, Stamp>(
    of owner: Unmanaged<Target>,
    _ act: @escaping @Sendable (Target, Payload, Stamp) -> Void,
    describe: @escaping @Sendable (Target, Payload) -> WaitingEntry
  ) {
    // Payload and stamp aren't stored as one struct: to take a struct apart, the compiler copies it.
    self.init(of: Unmanaged.fromOpaque(owner.toOpaque()), size: Handler.size(of: Payload.self, Stamp.self)) {
      owner, pointer in
      let stamp = (pointer + Handler.offset(of: Stamp.self, after: Payload.self)).assumingMemoryBound(to: Stamp.self)
      Unmanaged<Target>.fromOpaque(owner.toOpaque())._withUnsafeGuaranteedRef { owner in
        act(owner, pointer.assumingMemoryBound(to: Payload.self).move(), stamp.move())
      }
    } describe: { owner, pointer in
      Unmanaged<Target>.fromOpaque(owner.toOpaque())._withUnsafeGuaranteedRef { owner in
        describe(owner, pointer.assumingMemoryBound(to: Payload.self).pointee)
      }
    }
  }

  @usableFromInline
  init(
    of owner: Unmanaged<AnyObject>,
    size: Int,
    run: @escaping @Sendable (Unmanaged<AnyObject>, UnsafeMutableRawPointer) -> Void,
    describe: @escaping @Sendable (Unmanaged<AnyObject>, UnsafeRawPointer) -> WaitingEntry
  ) {
    stride = (max(size, 1) + Handler.alignment - 1) / Handler.alignment * Handler.alignment
    self.owner = owner
    runPayload = run
    describePayload = describe
  }

  /// Moves a payload out of the queue's memory and acts on it.
  @inline(__always)
  func run(_ payload: UnsafeMutableRawPointer) {
    runPayload(owner, payload)
  }

  /// Describes a payload, and leaves it in the queue's memory.
  func describe(_ payload: UnsafeRawPointer) -> WaitingEntry {
    describePayload(owner, payload)
  }

  /// Writes a payload and its stamp at the offsets from which the handler reads them.
  @inlinable @inline(__always)
  static func write<Payload, Stamp>(_ payload: Payload, _ stamp: Stamp, at pointer: UnsafeMutableRawPointer) {
    pointer.initializeMemory(as: Payload.self, to: payload)
    (pointer + offset(of: Stamp.self, after: Payload.self)).initializeMemory(as: Stamp.self, to: stamp)
  }

  /// Returns `true` if a payload and its stamp can wait in the queue directly.
  ///
  /// - If not, the caller appends a closure that contains the payload.
  @inlinable
  static func canStore<Payload, Stamp>(_: Payload.Type, _: Stamp.Type) -> Bool {
    size(of: Payload.self, Stamp.self) <= largestPayload && MemoryLayout<Payload>.alignment <= alignment
  }

  @inlinable
  static func size<Payload, Stamp>(of _: Payload.Type, _: Stamp.Type) -> Int {
    offset(of: Stamp.self, after: Payload.self) + MemoryLayout<Stamp>.size
  }

  @inlinable
  static func offset<Payload, Stamp>(of _: Stamp.Type, after _: Payload.Type) -> Int {
    let alignment = MemoryLayout<Stamp>.alignment
    return (MemoryLayout<Payload>.size + alignment - 1) / alignment * alignment
  }
}

/// A closure and its argument, waiting in the mailbox. The argument is retained until the closure has run.
struct QueuedWork: Sendable {
  /// The argument of `work`: an audience, the tree itself, or an object to release.
  nonisolated(unsafe) let object: AnyObject  // Only used on the tree's queue.
  let work: @Sendable (AnyObject) -> Void
  let kind: WaitingEntry.Kind

  /// Describes the work for inspection; nil if its kind is enough, or without inspection.
  let describe: (@Sendable (AnyObject) -> WaitingEntry)?

  init(
    with object: AnyObject,
    _ kind: WaitingEntry.Kind = .other,
    describe: (@Sendable (AnyObject) -> WaitingEntry)? = nil,
    work: @escaping @Sendable (AnyObject) -> Void
  ) {
    self.object = object
    self.work = work
    self.kind = kind
    self.describe = describe
  }

  /// The owner of a handler that needs none.
  private final class NoOwner: Sendable {
    static let only = NoOwner()
  }

  static let handler = Handler(of: Unmanaged.passUnretained(NoOwner.only)) { (_, queued: QueuedWork, _: Void) in
    queued.work(queued.object)
  } describe: { _, queued in
    queued.describe?(queued.object) ?? WaitingEntry(queued.kind)
  }
}
