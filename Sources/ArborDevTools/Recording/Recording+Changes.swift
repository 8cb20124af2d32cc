internal import Arbor

/// Queries about parts of the root's state.
extension Recording {
  /// Returns the numbers of the actions that changed a part of the root's state, in order.
  ///
  /// - Actions that are left out changed nothing.
  /// - **Cost.** The first query for a part reduces each action once. Its result is kept, and copies of the recording
  ///   share it. Later queries only reduce the actions that were added since, until the past is changed.
  /// - You can call it from any thread.
  /// - Parameter part: The path of the part.
  public func changes<Part: Equatable & Sendable>(of part: any KeyPath<State, Part> & Sendable) -> [Int] {
    changes.index(of: part, in: self).changes(from: firstPlace).map { self[entryAt: $0.place - firstPlace - 1].id }
  }

  /// Returns the last position at which a part of the root's state has a value; nil if it never has.
  ///
  /// - **Cost.** The cost of ``changes(of:)``, and one comparison for each change to the part after the position.
  /// - Parameters:
  ///   - part: The path of the part.
  ///   - value: The value that the part has at the position.
  public func lastPosition<Part: Equatable & Sendable>(
    where part: any KeyPath<State, Part> & Sendable,
    is value: Part
  ) -> Int? {
    let index = changes.index(of: part, in: self)
    var end = count
    for change in index.changes(from: firstPlace).reversed() {
      if change.value == value { return end }
      end = change.place - firstPlace - 1
    }
    return index.value(at: firstPlace) == value ? end : nil
  }
}

/// The changes of the queried parts of a recording's state. Copies of the recording share them.
struct PartChanges: Sendable {
  private struct Part: Hashable, @unchecked Sendable {  // Only made from sendable key paths.
    let path: AnyKeyPath
  }

  private final class Shared: Sendable {
    let indexes: Protected<[Part: any Sendable]>

    init(_ indexes: [Part: any Sendable] = [:]) {
      self.indexes = Protected(indexes)
    }
  }

  private var shared = Shared()

  /// Called before an entry is added. A copy of the recording may continue differently, so it keeps its own results.
  mutating func willChange() {
    guard !isKnownUniquelyReferenced(&shared) else { return }
    shared = Shared(shared.indexes.withLock { $0 })
  }

  /// Returns the changes to a part, up to the last entry.
  func index<State, Action, Value: Equatable & Sendable>(
    of path: any KeyPath<State, Value> & Sendable,
    in recording: Recording<State, Action>
  ) -> PartIndex<Value> {
    let part = Part(path: path)
    var index = shared.indexes.withLock { $0[part] } as? PartIndex<Value> ?? PartIndex()
    // Reducers are called and values are released outside the lock.
    index.extend(over: recording) { $0[keyPath: path] }
    let before = shared.indexes.withLock { [index] in $0.updateValue(index, forKey: part) }
    withExtendedLifetime(before) {}
    return index
  }
}

/// The places at which a part of the state changed.
struct PartIndex<Part: Equatable & Sendable>: Sendable {
  /// The value before the first change and after each change, with the places after the actions.
  private var values: [(place: Int, value: Part)] = []

  /// The place up to which actions were examined.
  private var end = 0

  /// Examines the actions that were added.
  mutating func extend<State, Action>(over recording: Recording<State, Action>, part: (State) -> Part) {
    let last = recording.firstPlace + recording.count
    // Actions that were committed before they were examined are gone, so the changes start over at the base.
    if values.isEmpty || end < recording.firstPlace {
      end = recording.firstPlace
      values = [(end, part(recording.base))]
    }
    guard end < last else { return }
    var state = recording.state(afterFirst: end - recording.firstPlace)
    for index in (end - recording.firstPlace)..<recording.count {
      recording.reduce(recording[entryAt: index], &state)
      let value = part(state)
      if value != values.last!.value { values.append((recording.firstPlace + index + 1, value)) }
    }
    end = last
  }

  /// Returns the changes after a place.
  func changes(from place: Int) -> ArraySlice<(place: Int, value: Part)> {
    values[firstIndex(behind: place)...]
  }

  /// Returns the value at a place.
  func value(at place: Int) -> Part { values[firstIndex(behind: place) - 1].value }

  private func firstIndex(behind place: Int) -> Int { (1..<values.count).end { values[$0].place <= place } }
}
