/// First in, first out, for values of different types: memory in chunks, each entry a handler and its payload.
///
/// - Entries never move once written, so that any Swift type can wait here.
/// - Adding and taking an entry allocate nothing, as a rule: a chunk holds hundreds. A chunk is freed as soon as its last
///   entry was taken, but for a small one, which is kept for what comes next.
/// - A backlog waits in large chunks. Their memory goes back to the system when they are freed; that of small ones stays
///   with the C library, as long as anything lives that was allocated behind it.
/// - Nothing here is safe from several threads: the mailbox's lock guards one queue, its dispatch queue the other.
struct EntryQueue: ~Copyable, @unchecked Sendable {  // Owned by one side at a time; its payloads are all sendable.
  private static let smallSize = 8192

  /// The size of a huge page.
  private static let largeSize = 2 << 20
  private static let handlerSize = 8

  /// An entry out of the queue.
  typealias Entry = (handler: Unmanaged<Handler>, payload: UnsafeMutableRawPointer)

  /// The beginning of a chunk; then come the entries.
  private struct Header {
    let isLarge: Bool
    var next: UnsafeMutableRawPointer?

    /// Where the entries end, once the next chunk was begun.
    var end = 0
  }

  private var firstChunk: UnsafeMutableRawPointer?
  private var lastChunk: UnsafeMutableRawPointer?

  /// Where the next entry is taken from the first chunk, and where it is written in the last one. Kept here and not in the
  /// chunks, whose memory the other thread has in its cache.
  private var readOffset = MemoryLayout<Header>.size
  private var writeOffset = EntryQueue.smallSize

  /// The size of the last chunk.
  private var writeLimit = EntryQueue.smallSize

  private(set) var chunkCount = 0

  var isEmpty: Bool {
    firstChunk == lastChunk && (firstChunk == nil || readOffset == writeOffset)
  }

  /// Adds an entry and returns the place for its payload, which must be initialized at once.
  @inline(__always)
  mutating func append(_ handler: Unmanaged<Handler>) -> UnsafeMutableRawPointer {
    let size = EntryQueue.handlerSize + handler._withUnsafeGuaranteedRef { $0.stride }
    if writeOffset + size > writeLimit { addChunk() }
    let place = lastChunk.unsafelyUnwrapped + writeOffset
    writeOffset += size
    place.storeBytes(of: handler.toOpaque(), as: UnsafeMutableRawPointer.self)
    return place + EntryQueue.handlerSize
  }

  /// Takes the next entry. Its payload stays where it is until the next call, by when it must have been moved out.
  @inline(__always)
  mutating func next() -> Entry? {
    guard var chunk = firstChunk else { return nil }
    if chunk == lastChunk {
      guard readOffset < writeOffset else {
        beginAnew()
        return nil
      }
    } else if readOffset == EntryQueue.header(chunk).pointee.end {
      chunk = leaveChunk(chunk)
    }
    let entry = EntryQueue.entry(at: chunk + readOffset)
    readOffset += EntryQueue.handlerSize + entry.handler._withUnsafeGuaranteedRef { $0.stride }
    return entry
  }

  /// Frees a large chunk that was read to its end, for who takes so many entries and does not ask for one more.
  mutating func trim() {
    if writeLimit > EntryQueue.smallSize, isEmpty { beginAnew() }
  }

  /// The entry that ``next()`` would take.
  var first: Entry? {
    var first: Entry?
    walk { entry in
      first = entry
      return false
    }
    return first
  }

  /// Calls a closure with each entry, in order, and leaves them where they are.
  func visit(_ body: (Entry) -> Void) {
    walk { entry in
      body(entry)
      return true
    }
  }

  private func walk(_ goesOn: (Entry) -> Bool) {
    var (chunk, offset) = (firstChunk, readOffset)
    while let current = chunk {
      let end = current == lastChunk ? writeOffset : EntryQueue.header(current).pointee.end
      while offset < end {
        let entry = EntryQueue.entry(at: current + offset)
        guard goesOn(entry) else { return }
        offset += EntryQueue.handlerSize + entry.handler._withUnsafeGuaranteedRef { $0.stride }
      }
      chunk = EntryQueue.header(current).pointee.next
      offset = MemoryLayout<Header>.size
    }
  }

  private static func entry(at place: UnsafeMutableRawPointer) -> Entry {
    (Unmanaged.fromOpaque(place.load(as: UnsafeMutableRawPointer.self)), place + handlerSize)
  }

  @inline(never)
  private mutating func addChunk() {
    // As much waits by then as a large chunk takes.
    let isLarge = chunkCount >= EntryQueue.largeSize / EntryQueue.smallSize
    let chunk = EntryQueue.allocate(isLarge: isLarge)
    if let lastChunk {
      EntryQueue.header(lastChunk).pointee.next = chunk
      EntryQueue.header(lastChunk).pointee.end = writeOffset
    } else {
      firstChunk = chunk
    }
    lastChunk = chunk
    writeOffset = MemoryLayout<Header>.size
    writeLimit = isLarge ? EntryQueue.largeSize : EntryQueue.smallSize
    chunkCount += 1
  }

  /// Frees a chunk that was read to its end, and goes on to the next one, which has at least one entry.
  @inline(never)
  private mutating func leaveChunk(_ chunk: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let next = EntryQueue.header(chunk).pointee.next.unsafelyUnwrapped
    EntryQueue.free(chunk)
    chunkCount -= 1
    firstChunk = next
    readOffset = MemoryLayout<Header>.size
    return next
  }

  /// Writes the next entry where the only chunk begins, which was read to its end; a large one is freed.
  private mutating func beginAnew() {
    if writeLimit > EntryQueue.smallSize {
      freeOnlyChunk()
    } else {
      (readOffset, writeOffset) = (MemoryLayout<Header>.size, MemoryLayout<Header>.size)
    }
  }

  @inline(never)
  private mutating func freeOnlyChunk() {
    self = EntryQueue()
  }

  private static func allocate(isLarge: Bool) -> UnsafeMutableRawPointer {
    let chunk =
      isLarge
      ? Platform.mapMemory(largeSize)
      : UnsafeMutableRawPointer.allocate(byteCount: smallSize, alignment: 16)
    header(chunk).initialize(to: Header(isLarge: isLarge))
    return chunk
  }

  private static func free(_ chunk: UnsafeMutableRawPointer) {
    if header(chunk).pointee.isLarge {
      Platform.unmapMemory(chunk, largeSize)
    } else {
      chunk.deallocate()
    }
  }

  private static func header(_ chunk: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    chunk.assumingMemoryBound(to: Header.self)
  }

  deinit {
    var chunk = firstChunk
    while let current = chunk {
      chunk = EntryQueue.header(current).pointee.next
      EntryQueue.free(current)
    }
  }
}

/// Runs the entries of one kind, when their turn comes in the mailbox.
///
/// It stands in front of every entry as a bare pointer, so that entries of any type can wait in one queue. Whoever
/// appends an entry sees to it that the handler outlives it.
@usableFromInline
final class Handler: @unchecked Sendable {  // The owner is used by the closures alone, on the queue.
  @inlinable static var largestPayload: Int { 512 }
  @inlinable static var alignment: Int { 8 }

  /// Room that a payload takes, in bytes: a multiple of the alignment, and never none, so that each has an address.
  let stride: Int

  /// Who acts on the payloads. Not retained; given to the closures, so that they need not capture it, which costs memory.
  private let owner: Unmanaged<AnyObject>

  private let runPayload: @Sendable (Unmanaged<AnyObject>, UnsafeMutableRawPointer) -> Void
  private let describePayload: @Sendable (Unmanaged<AnyObject>, UnsafeRawPointer) -> WaitingEntry

  /// Makes the handler of payloads that wait with a stamp each.
  ///
  /// - Parameters:
  ///   - owner: Is given to the closures, which should capture nothing. Whoever has the handler sees to it that it is there.
  @inlinable
  convenience init<Target: AnyObject, Payload, Stamp>(
    of owner: Unmanaged<Target>,
    _ act: @escaping @Sendable (Target, Payload, Stamp) -> Void,
    describe: @escaping @Sendable (Target, Payload) -> WaitingEntry
  ) {
    // Not a struct of both: to take that apart the compiler copies it.
    self.init(of: Unmanaged.fromOpaque(owner.toOpaque()), size: Handler.size(of: Payload.self, Stamp.self)) {
      owner, place in
      let stamp = (place + Handler.offset(of: Stamp.self, behind: Payload.self)).assumingMemoryBound(to: Stamp.self)
      Unmanaged<Target>.fromOpaque(owner.toOpaque())._withUnsafeGuaranteedRef { owner in
        act(owner, place.assumingMemoryBound(to: Payload.self).move(), stamp.move())
      }
    } describe: { owner, place in
      Unmanaged<Target>.fromOpaque(owner.toOpaque())._withUnsafeGuaranteedRef { owner in
        describe(owner, place.assumingMemoryBound(to: Payload.self).pointee)
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

  /// Takes a payload out of its place in the queue and acts on it.
  @inline(__always)
  func run(_ payload: UnsafeMutableRawPointer) {
    runPayload(owner, payload)
  }

  /// Tells what a payload is, and leaves it in its place.
  func describe(_ payload: UnsafeRawPointer) -> WaitingEntry {
    describePayload(owner, payload)
  }

  /// Writes a payload and its stamp where the handler finds them.
  @inlinable @inline(__always)
  static func write<Payload, Stamp>(_ payload: Payload, _ stamp: Stamp, at place: UnsafeMutableRawPointer) {
    place.initializeMemory(as: Payload.self, to: payload)
    (place + offset(of: Stamp.self, behind: Payload.self)).initializeMemory(as: Stamp.self, to: stamp)
  }

  /// `true` if a payload can wait in the queue as it is. Others are sent as an array of one, which can.
  @inlinable
  static func canRun<Payload, Stamp>(_: Payload.Type, _: Stamp.Type) -> Bool {
    size(of: Payload.self, Stamp.self) <= largestPayload && MemoryLayout<Payload>.alignment <= alignment
  }

  @inlinable
  static func size<Payload, Stamp>(of _: Payload.Type, _: Stamp.Type) -> Int {
    offset(of: Stamp.self, behind: Payload.self) + MemoryLayout<Stamp>.size
  }

  @inlinable
  static func offset<Payload, Stamp>(of _: Stamp.Type, behind _: Payload.Type) -> Int {
    let alignment = MemoryLayout<Stamp>.alignment
    return (MemoryLayout<Payload>.size + alignment - 1) / alignment * alignment
  }
}
