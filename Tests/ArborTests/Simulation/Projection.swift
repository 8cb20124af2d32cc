/// How a simulated scope looks at the state of the store that it was made of.
enum Projection: CaseIterable, Sendable {
  /// The whole state.
  case whole

  /// The part of the innermost node alone.
  case innermost

  /// As `scope(toOptional:)`: nil while the outermost part has an odd number of actions.
  case whenEven

  /// As `scope(to:)` with an optional result, which is passed on: an empty picture in place of nil.
  case emptyUnlessEven

  /// The whole state, but with its own type of actions.
  case embedding
}

extension Projection {
  /// What a scope of this kind makes of a state; nil if it has nothing to show.
  func apply(to picture: Picture) -> Picture? {
    switch self {
    case .whole, .embedding: picture
    case .innermost: Picture(parts: picture.parts.suffix(1))
    case .whenEven: isEven(picture) ? picture : nil
    case .emptyUnlessEven: isEven(picture) ? picture : Picture(parts: [])
    }
  }

  private func isEven(_ picture: Picture) -> Bool {
    (picture.parts.first?.count ?? 0).isMultiple(of: 2)
  }
}
