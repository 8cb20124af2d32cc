internal import Foundation

/// The people who were heard of lately.
///
/// - Best effort: a message may be lost, so one who is silent for a while counts as gone.
package struct People: Equatable, Sendable {
  /// The time after which one who says nothing has gone.
  package static let patience = Duration.seconds(8)

  /// The number of people who are kept: anybody may send anything.
  private static let most = 100

  private struct Person: Equatable {
    let presence: Presence
    let heard: Duration
  }

  private var people: [UUID: Person] = [:]

  package init() {}

  /// The names, in order.
  package var names: [String] { people.values.map(\.presence.name).sorted() }

  /// The names of those who look at a card, in order.
  package func names(at card: Card.ID) -> [String] {
    people.values.filter { $0.presence.card == card }.map(\.presence.name).sorted()
  }

  /// Notes what a person has said.
  package mutating func hear(_ presence: Presence, at time: Duration) {
    guard !presence.isLeaving else {
      people[presence.program] = nil
      return
    }
    guard people[presence.program] != nil || people.count < Self.most else { return }
    people[presence.program] = Person(presence: presence, heard: time)
  }

  /// Forgets those who have said nothing for a while.
  package mutating func forgetSilent(at time: Duration) {
    people = people.filter { time - $0.value.heard < Self.patience }
  }
}
