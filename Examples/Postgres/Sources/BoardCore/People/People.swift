internal import Foundation

/// The people who have recently sent a message.
///
/// - This is best effort: a message may be lost, and a person who is silent for a while counts as gone.
package struct People: Equatable, Sendable {
  /// The time after which a silent person counts as gone.
  package static let patience = Duration.seconds(8)

  /// The maximum number of people. Without it, one sender could fill the memory.
  private static let most = 100

  private struct Person: Equatable {
    let presence: Presence
    let heard: Duration
  }

  private var people: [UUID: Person] = [:]

  package init() {}

  /// The names, sorted.
  package var names: [String] { people.values.map(\.presence.name).sorted() }

  /// Returns the names of the people at a card, sorted.
  package func names(at card: Card.ID) -> [String] {
    people.values.filter { $0.presence.card == card }.map(\.presence.name).sorted()
  }

  /// Records a person's message.
  package mutating func hear(_ presence: Presence, at time: Duration) {
    guard !presence.isLeaving else {
      people[presence.program] = nil
      return
    }
    guard people[presence.program] != nil || people.count < Self.most else { return }
    people[presence.program] = Person(presence: presence, heard: time)
  }

  /// Removes the people who have been silent for a while.
  package mutating func forgetSilent(at time: Duration) {
    people = people.filter { time - $0.value.heard < Self.patience }
  }
}
