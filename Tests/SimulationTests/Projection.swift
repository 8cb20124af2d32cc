/// A simulated scope's projection of its store's state.
enum Projection: Int, CaseIterable, Sendable {
  /// The whole state.
  case whole

  /// Only the part of the innermost node.
  case innermost

  /// Like `scope(toOptional:)`: nil while the root has reduced an odd number of actions.
  case whenEven

  /// Like `scope(to:)` with an optional result, which is delivered: an empty state replaces nil.
  case emptyUnlessEven

  /// The whole state with its own type of actions; in a tree of commits, a part with its commits.
  case embedding

  /// An optional part with its own type of actions.
  case embeddingWhenEven

  /// `true` if only the scope knows its tasks.
  var hasOwnActions: Bool { self == .embedding || self == .embeddingWhenEven }

  /// `true` if its state may be nil.
  var isOptional: Bool { self == .whenEven || self == .embeddingWhenEven }

  /// The result of this projection for a state; nil if there is none.
  func apply(to digest: Digest) -> Digest? {
    switch self {
    case .whole, .embedding: digest
    case .innermost: digest.innermost
    case .whenEven, .embeddingWhenEven: digest.count.isMultiple(of: 2) ? digest : nil
    case .emptyUnlessEven: digest.count.isMultiple(of: 2) ? digest : digest.emptied
    }
  }
}
