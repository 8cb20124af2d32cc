import Arbor

/// A few places where any thread or callback can put objects, and take them.
final class Shelf<Thing: Sendable>: Sendable {
  private let places: Protected<[Thing?]>
  private let count: Int

  init(places count: Int) {
    self.count = count
    places = Protected(Array(repeating: nil, count: count))
  }

  /// Puts an object or nil into a place, and returns the previous one, to be released outside the lock.
  @discardableResult
  func exchange(_ thing: Thing?, at place: Int) -> Thing? {
    places.withLock { places in
      defer { places[place % count] = thing }
      return places[place % count]
    }
  }

  /// Returns the object at a place without removing it.
  func peek(_ place: Int) -> Thing? {
    places.withLock { $0[place % count] }
  }

  func empty() {
    for place in 0..<count { exchange(nil, at: place) }
  }
}
