internal import Arbor

/// The stores of a recording that is read from a file, and their states after the last entry that was read.
struct ImportedStores {
  /// The number of the root's store.
  let root: Int

  /// The own states of the existing stores, by their numbers.
  private(set) var states: [Int: RecordedValue]

  /// The stores below the root that exist before the first entry.
  private(set) var children: [UInt64: RecordedChild] = [:]

  /// Begins with the stores that exist before the first entry. The root is the store with the lowest number, because the
  /// others were made later.
  init(base: RecordedObject) throws(RecordingFileError) {
    states = [:]
    for member in base.members {
      guard let id = ImportedStores.number(in: member.key) else {
        throw .notLoadable("\(member.key.debugDescription) is not the number of a store")
      }
      states[id] = member.value
    }
    guard let root = states.keys.min() else { throw .notLoadable("it has no state before the first action") }
    self.root = root
    for (id, state) in states where id != root {
      // The birth is before the first entry. If a store was made right before it, the entry contains its number.
      children[UInt64(id)] = child(UInt64(id), birth: -1, state)
    }
  }

  private func child(_ id: UInt64, birth: Int, death: Int? = nil, _ state: RecordedValue) -> RecordedChild {
    let store = MonitoredStore(id: id, parent: UInt64(root), stateType: RecordedValue.self)
    var child = RecordedChild(store, reducer: nil, birth: birth, state: state)
    child.death = death
    return child
  }

  /// Returns the number that a key contains; nil if it isn't a number in its usual form.
  private static func number(in key: String) -> Int? {
    guard let number = Int(key), RecordingDocument.numbers ~= number, "\(number)" == key else { return nil }
    return number
  }

  /// Applies an entry's changes, and adds and removes stores.
  mutating func add(
    _ entry: RecordingDocument.Entry,
    at place: Int,
    to children: inout [UInt64: RecordedChild]
  ) throws(RecordingMemberError) {
    for id in entry.made { try make(id, at: place, in: &children) }
    for id in entry.gone where states[id] == nil {
      if let child = children[UInt64(clamping: id)], child.death == nil { children[child.store.id]!.death = place }
    }
    for change in entry.changes {
      guard let id = ImportedStores.store(of: change), id != root || change.path.count > 1 || change.value != nil else {
        throw RecordingMemberError(text: "a change doesn't belong to a store")
      }
      let wasThere = states[id] != nil
      do { try change.apply(toStore: &states[id]) } catch { throw RecordingMemberError(text: error.description) }
      guard change.path.count == 1, id != root else { continue }
      // A change to a whole state added the store or removed it.
      if change.value == nil {
        children[UInt64(id)]?.death = place + 1
      } else if !wasThere {
        children[UInt64(id)] = child(UInt64(id), birth: place + 1, states[id]!)
      }
    }
  }

  /// Returns the number of the store that a change belongs to; nil if there is none.
  static func store(of change: RecordingChange) -> Int? {
    guard case .key(let key) = change.path[0] else { return nil }
    return number(in: key)
  }

  /// Adds a store that, according to an entry, was made just before it.
  private func make(_ id: Int, at place: Int, in children: inout [UInt64: RecordedChild]) throws(RecordingMemberError) {
    guard id > 0, id != root else { throw RecordingMemberError(text: "store \(id) can't be made") }
    if states[id] == nil {
      // The store is gone before the next entry.
      guard children[UInt64(id)] == nil else { return }
      children[UInt64(id)] = child(UInt64(id), birth: place, death: place, .null)
    } else if place == 0 {
      children[UInt64(id)]!.birth = 0
    }
  }

  /// Returns `true` if a store below the root exists before and after an entry that was added.
  func isKept(_ id: Int, in children: [UInt64: RecordedChild], at place: Int) -> Bool {
    guard id != root, let child = children[UInt64(id)] else { return false }
    return child.exists(at: place) && child.exists(at: place + 1)
  }

  /// Completes the stores with the data after the file's entries.
  func complete(
    _ children: inout [UInt64: RecordedChild],
    by stores: [RecordingDocument.Store],
    at place: Int
  ) {
    for store in stores where store.id != root {
      let id = UInt64(store.id)
      if children[id] == nil {
        // The store came and went after the last entry.
        children[id] = child(id, birth: place, death: place, .null)
      }
      let parent = store.parent.flatMap { UInt64(exactly: $0) } ?? UInt64(root)
      children[id]!.store = MonitoredStore(id: id, parent: parent, stateType: RecordedValue.self)
      children[id]!.stateName = store.state
      children[id]!.made = Duration(microseconds: store.made)
      children[id]!.gone = store.gone.map { Duration(microseconds: $0) }
    }
  }
}
