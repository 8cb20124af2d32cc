internal import Synchronization

/// The seats for simultaneous browsers.
final class Seats: Sendable {
  private let limit: Int
  private let taken = Mutex(0)

  init(limit: Int) {
    self.limit = limit
  }

  /// The number of taken seats.
  var count: Int { taken.withLock { $0 } }

  /// Takes a seat; nil if none is free.
  func take() -> Seat? {
    let isFree = taken.withLock { taken in
      guard taken < limit else { return false }
      taken += 1
      return true
    }
    return isFree ? Seat(of: self) : nil
  }

  /// A taken seat, which becomes free when it is released.
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
