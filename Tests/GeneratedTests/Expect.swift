import Testing

/// Expects that the values compiled from two sources equal the original; only the second source must determine its
/// type.
func expect<Value: Equatable, Other>(
  _ value: Value,
  known: Value,
  unknown: Other,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  #expect(known == value, sourceLocation: sourceLocation)
  #expect(Value.self == Other.self, sourceLocation: sourceLocation)
  #expect(unknown as? Value == value, sourceLocation: sourceLocation)
}
