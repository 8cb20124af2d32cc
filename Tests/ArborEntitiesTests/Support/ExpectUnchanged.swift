import ArborEntities
import Testing

/// Expects that an operation on a table throws an error and changes nothing.
func expectUnchanged<Element: Equatable>(
  _ table: inout EntityTable<Element>,
  after error: some Error & Equatable,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (inout EntityTable<Element>) throws -> Void
) {
  let before = table
  #expect(throws: error, sourceLocation: sourceLocation) { try body(&table) }
  #expect(table == before, sourceLocation: sourceLocation)
  #expect(table.stamp == before.stamp, sourceLocation: sourceLocation)
  #expect(table.difference(from: before).isEmpty, sourceLocation: sourceLocation)
  for element in before {
    #expect(table.stamp(of: element.id) == before.stamp(of: element.id), sourceLocation: sourceLocation)
  }
  table.checkInvariants()
}
