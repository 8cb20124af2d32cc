/// The elements of an array in a larger state, which are found by their ids.
@usableFromInline
final class ArrayElements<Whole: Sendable, WholeAction: Sendable, Part: Identifiable & Sendable, PartAction: Sendable>:
  ScopedElements, Sendable
where Part.ID: Sendable {
  @usableFromInline let elements: FeaturePart<Whole, [Part]>
  @usableFromInline let path: any WritableKeyPath<Whole, [Part]> & Sendable
  @usableFromInline let embedElement: @Sendable (Part.ID, PartAction) -> WholeAction
  @usableFromInline let extract: @Sendable (WholeAction) -> (Part.ID, PartAction)?

  /// The indices at which elements were last found, by the hash values of their ids. Any index may have become wrong.
  @usableFromInline let hints = IndexHints()

  /// The indices at which watched elements were last found, of which any may have become wrong. On the tree's queue.
  @usableFromInline nonisolated(unsafe) var watchedIndices: [Part.ID: Int] = [:]

  @inlinable
  init(
    _ path: any WritableKeyPath<Whole, [Part]> & Sendable,
    action embed: @escaping @Sendable (Part.ID, PartAction) -> WholeAction,
    extract: @escaping @Sendable (WholeAction) -> (Part.ID, PartAction)?
  ) {
    self.path = path
    elements = FeaturePart(path)
    embedElement = embed
    self.extract = extract
  }

  @inlinable
  func change(_ id: Part.ID, of whole: inout Whole, _ body: (inout Part) -> Void) -> Bool {
    guard !elements.isAssigned || contains(id, in: &whole) else { return false }
    var isThere = false
    _ = elements.change(&whole) { array in
      guard let index = index(of: id, in: array) else { return }
      isThere = true
      body(&array[index])
    }
    return isThere
  }

  @inlinable
  func read(_ id: Part.ID, of whole: UnsafePointer<Whole>, _ body: (UnsafePointer<Part>) -> Void) {
    elements.read(whole) { array in
      guard let index = index(of: id, in: array.pointee) else { return }
      array.pointee.withUnsafeBufferPointer { body($0.baseAddress.unsafelyUnwrapped + index) }
    }
  }

  /// Looks at the whole array at most once, however many elements have moved or are gone.
  @inlinable
  func read(_ ids: [Part.ID], of whole: UnsafePointer<Whole>, _ body: (Int, UnsafePointer<Part>) -> Void) {
    elements.read(whole) { array in
      array.pointee.withUnsafeBufferPointer { elements in
        // The positions of the ids that are still to be found: several of them may be equal.
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

  /// The index of an element, searched from the index at which it was last found; nil if there is none.
  @inlinable
  func index(of id: Part.ID, in array: [Part]) -> Int? {
    guard !array.isEmpty else { return nil }
    let hash = id.hashValue
    let hint = min(hints[hash], array.count - 1)
    if array[hint].id == id { return hint }
    var (below, above) = (hint - 1, hint + 1)
    while below >= 0 || above < array.count {
      if above < array.count {
        if array[above].id == id {
          hints[hash] = above
          return above
        }
        above += 1
      }
      if below >= 0 {
        if array[below].id == id {
          hints[hash] = below
          return below
        }
        below -= 1
      }
    }
    return nil
  }
}

/// A table of indices by hash values, of a fixed size: hash values that differ may share an index. From any thread.
@usableFromInline
final class IndexHints: Sendable {
  private static let count = 64

  // Sendable because the memory is allocated once, and its values are atomic.
  private nonisolated(unsafe) let indices = UnsafeMutablePointer<AtomicNumber>.allocate(capacity: count)

  @usableFromInline
  init() {
    for number in 0..<IndexHints.count { (indices + number).initialize(to: AtomicNumber(0)) }
  }

  @usableFromInline
  subscript(hash: Int) -> Int {
    get { indices[hash & (IndexHints.count - 1)].loadRelaxed() }
    set { indices[hash & (IndexHints.count - 1)].store(newValue) }
  }

  deinit {
    indices.deinitialize(count: IndexHints.count)
    indices.deallocate()
  }
}
