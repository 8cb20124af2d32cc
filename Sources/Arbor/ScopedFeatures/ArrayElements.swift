/// The elements of an array in a larger state, found by their ids.
@usableFromInline
final class ArrayElements<Whole: Sendable, WholeAction: Sendable, Part: Identifiable & Sendable, PartAction: Sendable>:
  ScopedElements, Sendable
where Part.ID: Sendable {
  @usableFromInline let elements: WritablePart<Whole, [Part]>
  @usableFromInline let embedElement: @Sendable (Part.ID, PartAction) -> WholeAction
  @usableFromInline let extract: @Sendable (WholeAction) -> (Part.ID, PartAction)?

  /// The indices at which elements were last found. Any of them may be outdated.
  @usableFromInline let hints = IndexHints()

  /// The indices at which watched elements were last found. Any of them may be outdated. Only used on the tree's queue.
  @usableFromInline nonisolated(unsafe) var watchedIndices: [Part.ID: Int] = [:]

  @inlinable
  init(
    _ elements: any WritableKeyPath<Whole, [Part]> & Sendable,
    action embed: @escaping @Sendable (Part.ID, PartAction) -> WholeAction,
    extract: @escaping @Sendable (WholeAction) -> (Part.ID, PartAction)?
  ) {
    self.elements = WritablePart(elements)
    embedElement = embed
    self.extract = extract
  }

  @inlinable
  func change(_ id: Part.ID, of whole: inout Whole, _ body: (inout Part) -> Void) -> ScopedChange {
    guard !elements.isAssigned || contains(id, in: &whole) else { return .missing }
    var change = ScopedChange.missing
    elements.change(&whole) { array in
      guard let index = index(of: id, in: array) else { return }
      body(&array[index])
      // With another id, it is another element. A setter may change any of them.
      change = elements.isAssigned || array[index].id != id ? .whole : .part
    }
    return change
  }

  @inlinable
  func version(of whole: UnsafePointer<Whole>) -> ArrayVersion<Part>? {
    var version: ArrayVersion<Part>?
    elements.read(whole) { version = ArrayVersion(array: $0.pointee) }
    return version
  }

  @inlinable
  func position(of id: Part.ID, in whole: UnsafePointer<Whole>) -> Int? {
    var position: Int?
    elements.read(whole) { position = index(of: id, in: $0.pointee) }
    return position
  }

  @inlinable
  static func copies(because version: ArrayVersion<Part>) -> Int { version.array.count }

  @inlinable
  func read(_ id: Part.ID, of whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    elements.read(whole) { array in
      guard let index = index(of: id, in: array.pointee) else { return }
      array.pointee.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped + index) }
    }
  }

  /// Reads the whole array at most once, no matter how many elements have moved or are gone.
  @inlinable
  func read(_ ids: [Part.ID], of whole: UnsafePointer<Whole>, _ body: (Int, UnsafePointer<Part>) -> Void) {
    guard ids.count > 1 else {
      for id in ids { read(id, of: whole) { body(0, $0) } }
      return
    }
    elements.read(whole) { array in
      array.pointee.withUnsafeBufferPointer { elements in
        // The positions of the ids that haven't been found yet: several of them may be equal.
        var missing: [Part.ID: [Int]] = [:]
        for (position, id) in ids.enumerated() {
          if let index = watchedIndices[id], index < elements.count, elements[index].id == id {
            body(position, elements.baseAddress.unsafelyUnwrapped + index)
          } else {
            missing[id, default: []].append(position)
          }
        }
        guard !missing.isEmpty else { return }
        if watchedIndices.count > max(2 * ids.count, 64) { watchedIndices = [:] }
        for index in elements.indices {
          let id = elements[index].id
          guard let positions = missing.removeValue(forKey: id) else { continue }
          watchedIndices[id] = index
          for position in positions { body(position, elements.baseAddress.unsafelyUnwrapped + index) }
          guard !missing.isEmpty else { return }
        }
      }
    }
  }

  @inlinable
  func readEach(of whole: UnsafePointer<Whole>, _ body: (Part.ID, UnsafePointer<Part>) -> Void) {
    elements.read(whole) { array in
      array.pointee.withUnsafeBufferPointer { elements in
        for index in elements.indices {
          body(elements[index].id, elements.baseAddress.unsafelyUnwrapped + index)
        }
      }
    }
  }

  /// Returns the index of an element, searching from the index at which it was last found; nil if there is none.
  @inlinable
  func index(of id: Part.ID, in array: [Part]) -> Int? {
    guard !array.isEmpty else { return nil }
    let hash = id.hashValue
    let hint = hints.index(ofHash: hash, in: array.count)
    if array[hint].id == id { return hint }
    var (below, above) = (hint - 1, hint + 1)
    while below >= 0 || above < array.count {
      if above < array.count {
        if array[above].id == id {
          hints.note(above, ofHash: hash, in: array.count)
          return above
        }
        above += 1
      }
      if below >= 0 {
        if array[below].id == id {
          hints.note(below, ofHash: hash, in: array.count)
          return below
        }
        below -= 1
      }
    }
    return nil
  }
}

/// A version of an array: a copy, which shares its memory with the array until the array changes.
@usableFromInline
struct ArrayVersion<Element: Sendable>: Equatable, Sendable {
  @usableFromInline let array: [Element]

  @inlinable
  init(array: [Element]) {
    self.array = array
  }

  @inlinable
  static func == (left: ArrayVersion, right: ArrayVersion) -> Bool {
    left.array.withUnsafeBufferPointer { left in
      right.array.withUnsafeBufferPointer { right in
        left.count == right.count && (left.isEmpty || left.baseAddress == right.baseAddress)
      }
    }
  }
}

/// The indices at which elements were last found, by the hash values of their ids: some may share one. May be used from
/// any thread.
@usableFromInline
final class IndexHints: Sendable {
  private let capacity: Int

  // Sendable because the memory is allocated once, and its values are atomic.
  private nonisolated(unsafe) let indices: UnsafeMutablePointer<AtomicNumber>

  /// The last recorded index: elements are often used one after the other.
  private let last = AtomicNumber(0)

  /// The hints for arrays with more elements than a quarter of the capacity, so that few elements share one.
  private let larger = AtomicLazyObject<IndexHints>()

  @usableFromInline
  convenience init() {
    self.init(capacity: 64)
  }

  private init(capacity: Int) {
    self.capacity = capacity
    indices = .allocate(capacity: capacity)
    for number in 0..<capacity { (indices + number).initialize(to: AtomicNumber(-1)) }
  }

  /// Returns the index from which to search for an element.
  @usableFromInline
  func index(ofHash hash: Int, in count: Int) -> Int {
    guard count <= capacity / 4 else { return forMore.index(ofHash: hash, in: count) }
    let index = indices[hash & (capacity - 1)].loadRelaxed()
    return min(index < 0 ? last.loadRelaxed() : index, count - 1)
  }

  /// Records the index at which an element was found.
  @usableFromInline
  func note(_ index: Int, ofHash hash: Int, in count: Int) {
    guard count <= capacity / 4 else { return forMore.note(index, ofHash: hash, in: count) }
    indices[hash & (capacity - 1)].store(index)
    last.store(index)
  }

  private var forMore: IndexHints { larger.load() ?? larger.storeIfNil(IndexHints(capacity: 16 * capacity)) }

  deinit {
    indices.deinitialize(count: capacity)
    indices.deallocate()
  }
}
