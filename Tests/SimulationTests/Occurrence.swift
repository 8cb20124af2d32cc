/// Something that a simulated world was seen to do: numbers alone, so that noting and comparing it costs next to nothing.
struct Occurrence: Equatable, Sendable {
  enum Kind: UInt8, Sendable {
    case made, intercepted, reduced, reducedPart, refused, followed, mapped, asked, askedForState, observed, answered,
      stepped
    case began, wentOn, ended, reported, running, released, computed, read, selected, recorded, monitored, heard
  }

  let kind: Kind

  /// The number of the node, store, observer or task.
  let place: Int32

  /// The number of the action, or what else there is to tell.
  var detail: Int32 = 0

  /// The digest of the state.
  var digest: UInt64 = 0
}

extension Occurrence: CustomStringConvertible {
  var description: String { "\(kind) \(place): \(detail) \(digest % 10_000)" }
}
