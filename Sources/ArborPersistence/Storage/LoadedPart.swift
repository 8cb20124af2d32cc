/// A part that was loaded and is not saved yet.
struct LoadedPart: Sendable {
  /// The part as it was declared then: a `Persisted` of the type of the state.
  let part: any Sendable

  /// The number of the load: parts of different ones are not of one moment.
  let load: Int

  /// The state into which it was loaded.
  let state: any Sendable

  /// `true` if it is stored as it is in that state.
  let isStored: Bool

  /// `false` if what is stored is newer and must not be replaced.
  let mayBeSaved: Bool

  /// The parts with their journal; nil if none was declared.
  var journaled: (any PartsSource)?
}
