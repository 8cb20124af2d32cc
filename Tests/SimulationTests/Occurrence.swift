/// An observed event in a simulated world. It has only numbers, so that recording and comparing it costs almost
/// nothing.
struct Occurrence: Equatable, Sendable {
  enum Kind: UInt8, Sendable {
    case made, intercepted, judged, reduced, reducedPart, refused, followed, mapped, asked, askedForState, observed,
      answered,
      stepped
    case began, wentOn, ended, reported, running, released, computed, read, selected, recorded, monitored, heard
    case shown, seen, told, applied, dropped

    /// The follower of a root received an action, or could save the state of a step.
    case received, saved
  }

  let kind: Kind

  /// The number of the node, store, observer or task.
  let place: Int32

  /// The number of the action, or another detail.
  var detail: Int32 = 0

  /// The digest of the state.
  var digest: UInt64 = 0
}

extension [Occurrence] {
  /// Adds the notification of a reader about a change. Readers that are notified together have no order, so they are
  /// sorted by their numbers here.
  mutating func tell(_ reader: Int, _ digest: UInt64) {
    let told = Occurrence(kind: .told, place: Int32(reader), digest: digest)
    var index = count
    while let before = dropLast(count - index).last, before.kind == .told {
      guard (told.place, told.digest) < (before.place, before.digest) else { break }
      index -= 1
    }
    insert(told, at: index)
  }
}

extension Occurrence: CustomStringConvertible {
  var description: String { "\(kind) \(place): \(detail) \(digest % 10_000)" }
}
