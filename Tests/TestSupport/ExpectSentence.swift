package import Testing

/// Expects that a process that stopped has said so.
package func expect(
  _ result: ExitTest.Result?,
  contains sentence: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(sentence), "\(text)", sourceLocation: sourceLocation)
}
