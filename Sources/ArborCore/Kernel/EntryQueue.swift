/// A first-in, first-out queue of entries of different types.
///
/// - The entries are stored in chunks of memory, each as a pointer to its handler and a payload.
/// - Entries don't move while they are here, so that values of any Swift type can wait. Entries that go to a gate are
///   moved by copying their bytes.
/// - Adding and taking an entry usually don't allocate memory: a chunk holds hundreds of entries. A chunk is freed when
///   the entry after its last one is requested. Only the last chunk, if it is small, is kept for future entries.
/// - A long backlog waits in large chunks. Their memory returns to the system when they are freed. The memory of small
///   chunks stays with the C library as long as anything lives that was allocated after them.
/// - Not thread-safe. A tree has three of these queues: ``Mailbox/entries``, guarded by the mailbox's lock; and, only
///   used on the tree's dispatch queue, ``Tree/current`` and the queue of ``GatedEntries``.
struct EntryQueue: ~Copyable, @unchecked Sendable {  // Only one side owns it at a time; all its payloads are sendable.
  private static let smallSize = 8192

  /// The size of a huge page.
  private static let largeSize = 2 << 20
  private static let handlerSize = 8

  /// An entry that was taken from the queue.
  package typealias Entry = (handler: Unmanaged<Handler>, payload: UnsafeMutableRawPointer)

  /// The beginning of a chunk. The entries follow it in memory.
  private struct Header {
    let isLarge: Bool
    var next: UnsafeMutableRawPointer?

    /// The offset at which the entries end. Set when the next chunk begins.
    var end = 0
  }

  private var firstChunk: UnsafeMutableRawPointer?
  private var lastChunk: UnsafeMutableRawPointer?

  /// The offsets at which the next entry is read from the first chunk, and written to the last chunk.
  ///
  /// - They aren't kept in the chunks, because the chunks' memory is in the cache of the other thread.
  private var readOffset = MemoryLayout<Header>.size
  private var writeOffset = EntryQueue.smallSize

  /// The size of the last chunk.
  private var writeLimit = EntryQueue.smallSize

  private(set) var chunkCount = 0

  var isEmpty: Bool {
    firstChunk == lastChunk && (firstChunk == nil || readOffset == writeOffset)
  }

  /// Adds an entry and returns the pointer to its payload, which the caller must initialize at once.
  @inline(__always)
  mutating func append(_ handler: Unmanaged<Handler>) -> UnsafeMutableRawPointer {
    let size = EntryQueue.handlerSize + handler._withUnsafeGuaranteedRef { $0.stride }
    if writeOffset + size > writeLimit { addChunk() }
    let pointer = lastChunk.unsafelyUnwrapped + writeOffset
    writeOffset += size
    pointer.storeBytes(of: handler.toOpaque(), as: UnsafeMutableRawPointer.self)
    return pointer + EntryQueue.handlerSize
  }

  /// Takes the next entry. Its payload stays in place until the next call; the caller must have moved it out by then.
  @inline(__always)
  mutating func next() -> Entry? {
    guard var chunk = firstChunk else { return nil }
    if chunk == lastChunk {
      guard readOffset < writeOffset else {
        restartOnlyChunk()
        return nil
      }
    } else if readOffset == EntryQueue.header(chunk).pointee.end {
      chunk = leaveChunk(chunk)
    }
    let entry = EntryQueue.entry(at: chunk + readOffset)
    readOffset += EntryQueue.handlerSize + entry.handler._withUnsafeGuaranteedRef { $0.stride }
    return entry
  }

  /// Frees a large chunk that was completely read, for a caller that stops before ``next()`` returns nil.
  mutating func trim() {
    if writeLimit > EntryQueue.smallSize, isEmpty { restartOnlyChunk() }
  }

  /// The entry that ``next()`` would take; nil if there is none.
  var first: Entry? {
    var first: Entry?
    walk { entry in
      first = entry
      return false
    }
    return first
  }

  /// Calls a closure with each entry, in order, and leaves the entries in the queue.
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

  private static func entry(at pointer: UnsafeMutableRawPointer) -> Entry {
    (Unmanaged.fromOpaque(pointer.load(as: UnsafeMutableRawPointer.self)), pointer + handlerSize)
  }

  @inline(never)
  private mutating func addChunk() {
    // By then, enough entries wait to fill a large chunk.
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

  /// Frees a chunk that was completely read, and returns the next chunk, which has at least one entry.
  @inline(never)
  private mutating func leaveChunk(_ chunk: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer {
    let next = EntryQueue.header(chunk).pointee.next.unsafelyUnwrapped
    EntryQueue.free(chunk)
    chunkCount -= 1
    firstChunk = next
    readOffset = MemoryLayout<Header>.size
    return next
  }

  /// Reuses the only chunk, which was completely read, from its beginning. Frees it if it is large.
  private mutating func restartOnlyChunk() {
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
