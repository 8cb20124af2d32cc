/// Places among the tasks of a key, reserved for those of the later parts of a sequence: a cancellation of the key reaches
/// them before they begin.
extension TaskScope {
  /// Reserves a place for the tasks of each key of a later part of a sequence.
  ///
  /// - Parameter outer: The places within which they are reserved, if the sequence is in a later part itself. If one was
  ///   given up, so are those that would be within it.
  func reservePlaces(of keys: [TaskKey], within outer: [ReservedPlace]) -> [ReservedPlace] {
    keys.map { key in
      let outer = outer.first { $0.key == key }?.number
      var consequences = TaskConsequences()
      let number = withTasks(of: key) { content, known, _ in
        if let outer, !content.isReserved(outer) { return outer }
        return content.reservePlace(in: known ?? content.makeTasks(of: key), &consequences)
      }
      return ReservedPlace(key: key, number: number)
    }
  }

  /// Removes places: their tasks have come, or will not.
  func release(_ places: [ReservedPlace]) {
    for place in places {
      var consequences = TaskConsequences()
      let keyed = withLock { content in content.releasePlace(place.number, &consequences) }
      carryOut(consequences)
      // The key is a user's value, released outside the lock.
      withExtendedLifetime(keyed) {}
    }
  }
}

extension TaskScopeContent {
  /// Reserves a place for tasks of a key, and returns its number.
  fileprivate mutating func reservePlace(in keyed: KeyedTasks, _ consequences: inout TaskConsequences) -> UInt64 {
    lastNumber += 1
    reserved[lastNumber] = keyed
    change(keyed, &consequences) { [lastNumber] lane, _ in lane.reserve(lastNumber) }
    return lastNumber
  }

  /// `false` if a place was given up.
  func isReserved(_ place: UInt64) -> Bool { reserved[place] != nil }

  /// Removes a reserved place, unless it was given up.
  ///
  /// - Returns: The tasks of its key, to be released outside the lock.
  fileprivate mutating func releasePlace(_ place: UInt64, _ consequences: inout TaskConsequences) -> KeyedTasks? {
    guard let keyed = reserved.removeValue(forKey: place) else { return nil }
    change(keyed, &consequences) { lane, _ in lane.release(place) }
    return keyed
  }
}

/// A place among the tasks of a key, reserved for those of a later part of a sequence.
@usableFromInline
struct ReservedPlace: Sendable {
  @usableFromInline let key: TaskKey
  @usableFromInline let number: UInt64
}
