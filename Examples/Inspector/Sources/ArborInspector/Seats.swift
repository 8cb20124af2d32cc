internal import Synchronization

/// The places for browsers that look at a program at once.
final class Seats: Sendable {
  private let limit: Int
  private let taken = Mutex(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of places that are taken.
  var count: Int { taken.withLock { $0 } }

  /// Takes a place; nil if none is free.
  func take() -> Seat? {
    let isFree = taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
    return isFree ? Seat(of: self) : nil
  }

  /// A place that was taken. Released, it is free.
  final class Seat: Sendable {
    private let seats: Seats

    fileprivate init(of seats: Seats) {
      self.seats = seats
    }

    deinit {
      seats.taken.withLock { $0 -= 1 }
    }
  }
}
