/// First in, first out, for values of different types: memory in chunks, each entry a handler and its payload.
///
/// - Entries never move once written, so that any Swift type can wait here.
/// - Adding and taking an entry allocate nothing, as a rule: a chunk holds hundreds. A chunk is freed as soon as its last
///   entry was taken, but for one, which is kept for what comes next.
/// - Nothing here is safe from several threads: the mailbox's lock guards one queue, its dispatch queue the other.
struct EntryQueue: ~Copyable, @unchecked Sendable {  // Owned by one side at a time; its payloads are all sendable.
  private static let chunkSize = 8192
  private static let handlerSize = 8

  /// An entry out of the queue.
  typealias Entry = (handler: Unmanaged<Handler>, payload: UnsafeMutableRawPointer)

  /// A chunk begins with the next chunk's address and its own end; then come the entries.
  private struct Header {
    var next: UnsafeMutableRawPointer?
    var end: Int
  }

  private var first: UnsafeMutableRawPointer?
  private var last: UnsafeMutableRawPointer?
  private var readOffset = MemoryLayout<Header>.size
  private(set) var chunkCount = 0

  var isEmpty: Bool {
    guard let first else { return true }
    return first == last && readOffset == EntryQueue.header(first).pointee.end
  }

  /// Adds an entry and returns the place for its payload, which must be initialized at once.
  mutating func append(_ handler: Unmanaged<Handler>) -> UnsafeMutableRawPointer {
    let size = EntryQueue.handlerSize + handler._withUnsafeGuaranteedRef { $0.stride }
    if last == nil || EntryQueue.header(last!).pointee.end + size > EntryQueue.chunkSize {
      addChunk()
    }
    let header = EntryQueue.header(last!)
    let place = last! + header.pointee.end
    header.pointee.end += size
    place.storeBytes(of: handler.toOpaque(), as: UnsafeMutableRawPointer.self)
    return place + EntryQueue.handlerSize
  }

  /// Takes the next entry. Its payload stays where it is until the next call, by when it must have been moved out.
  mutating func next() -> Entry? {
    guard var chunk = first else { return nil }
    if readOffset == EntryQueue.header(chunk).pointee.end {
      guard let following = EntryQueue.header(chunk).pointee.next else {
        EntryQueue.header(chunk).pointee.end = MemoryLayout<Header>.size
        readOffset = MemoryLayout<Header>.size
        return nil
      }
      chunk.deallocate()
      chunkCount -= 1
      first = following
      chunk = following
      readOffset = MemoryLayout<Header>.size
    }
    let place = chunk + readOffset
    let handler = Unmanaged<Handler>.fromOpaque(place.load(as: UnsafeMutableRawPointer.self))
    readOffset += EntryQueue.handlerSize + handler._withUnsafeGuaranteedRef { $0.stride }
    return (handler, place + EntryQueue.handlerSize)
  }

  private mutating func addChunk() {
    let chunk = UnsafeMutableRawPointer.allocate(byteCount: EntryQueue.chunkSize, alignment: 16)
    EntryQueue.header(chunk).initialize(to: Header(next: nil, end: MemoryLayout<Header>.size))
    if let last {
      EntryQueue.header(last).pointee.next = chunk
    } else {
      first = chunk
    }
    last = chunk
    chunkCount += 1
  }

  private static func header(_ chunk: UnsafeMutableRawPointer) -> UnsafeMutablePointer<Header> {
    chunk.assumingMemoryBound(to: Header.self)
  }

  deinit {
    var chunk = first
    while let current = chunk {
      chunk = EntryQueue.header(current).pointee.next
      current.deallocate()
    }
  }
}
