internal import Arbor

/// The stores of a recording that is read from a file, and their states at the last entry that was read.
struct ImportedStores {
  /// The number of the root's store.
  let root: Int

  /// The own states of the stores that exist, by their numbers.
  private(set) var states: RecordedObject

  /// The stores below the root that exist before the first entry.
  private(set) var children: [UInt64: RecordedChild] = [:]

  /// Begins with the stores that exist before the first entry. The root is the one with the lowest number: the others
  /// were made later.
  init(base: RecordedObject) throws(RecordingFileError) {
    var root = Int.max
    for member in base.members {
      guard let id = ImportedStores.number(in: member.key) else {
        throw .notLoadable("\(member.key.debugDescription) is not the number of a store")
      }
      root = min(root, id)
    }
    guard root < Int.max else { throw .notLoadable("it has no state before the first action") }
    self.root = root
    states = base
    for member in base.members where member.key != "\(root)" {
      // Before the first entry: a store that was made just there is named by it.
      children[UInt64(member.key)!] = child(UInt64(member.key)!, birth: -1, member.value)
    }
  }

  private func child(_ id: UInt64, birth: Int, _ state: RecordedValue) -> RecordedChild {
    let store = MonitoredStore(id: id, parent: UInt64(root), stateType: RecordedValue.self)
    return RecordedChild(store, reducer: nil, birth: birth, state: state)
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
    for id in entry.gone where states["\(id)"] == nil {
      if let child = children[UInt64(clamping: id)], child.death == nil { children[child.store.id]!.death = place }
    }
    // Taken out, so that they are changed where they lie.
    var value = RecordedValue.object(states)
    states = RecordedObject()
    for change in entry.changes {
      let wasThere = change.path.count == 1 && ImportedStores.has(change.path[0], in: value)
      do { try change.apply(to: &value) } catch { throw RecordingMemberError(text: error.description) }
      guard change.path.count == 1 else { continue }
      try note(change, wasThere: wasThere, at: place + 1, in: &children)
    }
    if case .object(let changed) = value { states = changed }
  }

  private static func has(_ step: RecordingChange.Step, in states: RecordedValue) -> Bool {
    guard case .object(let states) = states, case .key(let key) = step else { return false }
    return states.place(of: key) != nil
  }

  /// Notes that a change of a whole state has made a store, or removed it.
  private func note(
    _ change: RecordingChange,
    wasThere: Bool,
    at place: Int,
    in children: inout [UInt64: RecordedChild]
  ) throws(RecordingMemberError) {
    guard case .key(let key) = change.path[0], let id = ImportedStores.number(in: key),
      id != root || change.value != nil
    else { throw RecordingMemberError(text: "a change is not of a store") }
    guard id != root else { return }
    if let state = change.value {
      if !wasThere { children[UInt64(id)] = child(UInt64(id), birth: place, state) }
    } else {
      children[UInt64(id)]?.death = place
    }
  }

  /// Makes a store that an entry says was made just before it.
  private func make(_ id: Int, at place: Int, in children: inout [UInt64: RecordedChild]) throws(RecordingMemberError) {
    guard id > 0, id != root else { throw RecordingMemberError(text: "no store \(id) can be made") }
    if states["\(id)"] == nil {
      // It has gone before the next entry.
      guard children[UInt64(id)] == nil else { return }
      children[UInt64(id)] = child(UInt64(id), birth: place, .null)
      children[UInt64(id)]!.death = place
    } else if place == 0 {
      children[UInt64(id)]!.birth = 0
    }
  }

  /// The stores below the root whose states an entry that was added has changed, and which exist before and behind it.
  func changed(by entry: RecordingDocument.Entry, in children: [UInt64: RecordedChild], at place: Int) -> [UInt64] {
    var changed: [UInt64] = []
    for change in entry.changes {
      guard case .key(let key)? = change.path.first, let id = UInt64(key), id != root, !changed.contains(id) else {
        continue
      }
      if let child = children[id], child.exists(at: place), child.exists(at: place + 1) { changed.append(id) }
    }
    return changed
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
        children[id] = child(id, birth: place, .null)
        children[id]!.death = place
      }
      let parent = store.parent.flatMap { UInt64(exactly: $0) } ?? UInt64(root)
      children[id]!.store = MonitoredStore(id: id, parent: parent, stateType: RecordedValue.self)
      children[id]!.stateName = store.state
      children[id]!.made = Duration(microseconds: store.made)
      children[id]!.gone = store.gone.map { Duration(microseconds: $0) }
    }
  }
}
