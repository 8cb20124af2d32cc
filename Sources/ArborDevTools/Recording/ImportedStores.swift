internal import Arbor

/// The stores of a recording that is read from a file, and their states at the last entry that was read.
struct ImportedStores {
  /// The number of the root's store.
  let root: Int

  /// The own states of the stores that exist, by their numbers.
  private(set) var states: [Int: RecordedValue]

  /// The stores below the root that exist before the first entry.
  private(set) var children: [UInt64: RecordedChild] = [:]

  /// Begins with the stores that exist before the first entry. The root is the one with the lowest number: the others
  /// were made later.
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
      // Before the first entry: a store that was made just there is named by it.
      children[UInt64(id)] = child(UInt64(id), birth: -1, state)
    }
  }

  private func child(_ id: UInt64, birth: Int, death: Int? = nil, _ state: RecordedValue) -> RecordedChild {
    let store = MonitoredStore(id: id, parent: UInt64(root), stateType: RecordedValue.self)
    var child = RecordedChild(store, reducer: nil, birth: birth, state: state)
    child.death = death
    return child
  }

  /// The number that a key is; nil if it is none, or is not written as numbers are.
  private static func number(in key: String) -> Int? {
    guard let number = Int(key), RecordingDocument.numbers ~= number, "\(number)" == key else { return nil }
    return number
  }

  /// Makes an entry's changes, and lets stores come and go.
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
        throw RecordingMemberError(text: "a change is not of a store")
      }
      let wasThere = states[id] != nil
      do { try change.apply(toStore: &states[id]) } catch { throw RecordingMemberError(text: error.description) }
      guard change.path.count == 1, id != root else { continue }
      // A change of a whole state has made the store, or removed it.
      if change.value == nil {
        children[UInt64(id)]?.death = place + 1
      } else if !wasThere {
        children[UInt64(id)] = child(UInt64(id), birth: place + 1, states[id]!)
      }
    }
  }

  /// The number of the store that a change is of; nil if it is of none.
  static func store(of change: RecordingChange) -> Int? {
    guard case .key(let key) = change.path[0] else { return nil }
    return number(in: key)
  }

  /// Makes a store that an entry says was made just before it.
  private func make(_ id: Int, at place: Int, in children: inout [UInt64: RecordedChild]) throws(RecordingMemberError) {
    guard id > 0, id != root else { throw RecordingMemberError(text: "no store \(id) can be made") }
    if states[id] == nil {
      // It has gone before the next entry.
      guard children[UInt64(id)] == nil else { return }
      children[UInt64(id)] = child(UInt64(id), birth: place, death: place, .null)
    } else if place == 0 {
      children[UInt64(id)]!.birth = 0
    }
  }

  /// `true` if a store is below the root, and exists before and behind an entry that was added.
  func isKept(_ id: Int, in children: [UInt64: RecordedChild], at place: Int) -> Bool {
    guard id != root, let child = children[UInt64(id)] else { return false }
    return child.exists(at: place) && child.exists(at: place + 1)
  }

  /// Completes what is known of the stores by what the file says behind its entries.
  func complete(
    _ children: inout [UInt64: RecordedChild],
    by stores: [RecordingDocument.Store],
    at place: Int
  ) {
    for store in stores where store.id != root {
      let id = UInt64(store.id)
      if children[id] == nil {
        // It came and went behind the last entry.
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
