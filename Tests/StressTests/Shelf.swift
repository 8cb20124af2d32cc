import Arbor

/// A few places where any thread or callback puts things, and from which any other takes them.
final class Shelf<Thing: Sendable>: Sendable {
  private let places: Protected<[Thing?]>
  private let count: Int

  init(places count: Int) {
    self.count = count
    places = Protected(Array(repeating: nil, count: count))
  }

  /// Puts a thing into a place, or nothing, and gives what was there: to be released outside of the lock.
  @discardableResult
  func exchange(_ thing: Thing?, at place: Int) -> Thing? {
    places.withLock { places in
      defer { places[place % count] = thing }
      return places[place % count]
    }
  }

  /// The thing at a place, which stays.
  func peek(_ place: Int) -> Thing? {
    places.withLock { $0[place % count] }
  }

  func empty() {
    for place in 0..<count { exchange(nil, at: place) }
  }
}
