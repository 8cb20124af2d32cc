package import Testing

/// Expects that a stopped process has printed a message.
package func expect(
  _ result: ExitTest.Result?,
  contains sentence: String,
  sourceLocation: SourceLocation = #_sourceLocation
) {
  let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
  #expect(text.contains(sentence), "\(text)", sourceLocation: sourceLocation)
}
