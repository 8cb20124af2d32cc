import Testing

/// Expects that what was compiled of two sources is a value again; the second source alone must give it its type.
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
