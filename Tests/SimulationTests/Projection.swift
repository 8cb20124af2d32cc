/// How a simulated scope looks at the state of the store that it was made of.
enum Projection: Int, CaseIterable, Sendable {
  /// The whole state.
  case whole

  /// The part of the innermost node alone.
  case innermost

  /// As `scope(toOptional:)`: nil while the root has reduced an odd number of actions.
  case whenEven

  /// As `scope(to:)` with an optional result, which is passed on: an empty state in place of nil.
  case emptyUnlessEven

  /// The whole state, with a type of actions of its own; in a tree of commits, those of a part.
  case embedding

  /// The same for a part that is there at times.
  case embeddingWhenEven

  /// Whether tasks are known to the scope alone.
  var hasOwnActions: Bool { self == .embedding || self == .embeddingWhenEven }

  /// Whether there is nothing to show at times.
  var isOptional: Bool { self == .whenEven || self == .embeddingWhenEven }

  /// What a scope of this kind makes of a state; nil if it has nothing to show.
  func apply(to digest: Digest) -> Digest? {
    switch self {
    case .whole, .embedding: digest
    case .innermost: digest.innermost
    case .whenEven, .embeddingWhenEven: digest.count.isMultiple(of: 2) ? digest : nil
    case .emptyUnlessEven: digest.count.isMultiple(of: 2) ? digest : digest.emptied
    }
  }
}
