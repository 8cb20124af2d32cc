/// Reservations among the tasks of a key, for the tasks of later parts of a sequence: canceling the key cancels them
/// before they begin.
extension TaskScope {
  /// Makes a reservation for the tasks of each key of a later part of a sequence.
  ///
  /// - Parameter outer: The reservations that contain the new ones, if the sequence is itself in a later part. If one
  ///   was given up, the new ones within it are given up, too.
  func makeReservations(for keys: [TypedKey], within outer: [Reservation]) -> [Reservation] {
    let entry = tree.isInside ? tree.runningEntry : 0
    return keys.map { key in
      let outer = outer.first { $0.key == key }?.number
      var consequences = TaskConsequences()
      let number = withTasks(of: key) { content, known, _ in
        if let outer, !content.isReserved(outer) { return outer }
        return content.reserve(in: known ?? content.makeTasks(of: key), byEntry: entry, &consequences)
      }
      return Reservation(key: key, number: number)
    }
  }

  /// Removes reservations: their tasks have come, or won't come.
  func release(_ reservations: [Reservation]) {
    for reservation in reservations {
      var consequences = TaskConsequences()
      let keyed = withLock { content in content.releaseReservation(reservation.number, &consequences) }
      carryOut(consequences)
      // The key is a user's value, released outside the lock.
      withExtendedLifetime(keyed) {}
    }
  }
}

extension TaskScopeContent {
  /// Makes a reservation for tasks of a key, and returns its number.
  fileprivate mutating func reserve(
    in keyed: KeyedTasks,
    byEntry entry: UInt64,
    _ consequences: inout TaskConsequences
  ) -> UInt64 {
    lastNumber += 1
    reserved[lastNumber] = Reserved(keyed: keyed, entry: entry)
    change(keyed, &consequences) { [lastNumber] lane, _ in lane.reserve(lastNumber) }
    return lastNumber
  }

  /// Returns `false` if a reservation was given up.
  func isReserved(_ reservation: UInt64) -> Bool { reserved[reservation] != nil }

  /// Removes a reservation, unless it was given up.
  ///
  /// - Returns: The tasks of its key, to be released outside the lock.
  fileprivate mutating func releaseReservation(_ reservation: UInt64, _ consequences: inout TaskConsequences)
    -> KeyedTasks?
  {
    guard let keyed = reserved.removeValue(forKey: reservation)?.keyed else { return nil }
    change(keyed, &consequences) { lane, _ in lane.release(reservation) }
    return keyed
  }
}

/// A reservation among the tasks of a key, for those of a later part of a sequence.
@usableFromInline
struct Reservation: Sendable {
  @usableFromInline let key: TypedKey
  @usableFromInline let number: UInt64
}
