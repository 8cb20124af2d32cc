import ArborDevTools

/// The test file that compares the samples with the values compiled from their sources.
enum SampleFile {
  static let suite = "SampleTests"

  static func text() throws -> String {
    let expectations = try Samples.all.map { name, value in
      // If the type is known, the source may be shorter: both are compared.
      """
          expect(
            Samples.\(name),
            known: \(try SwiftLiteral.source(of: value)),
            unknown: \(try SwiftLiteral.source(of: value, isTypeKnown: false))
          )
      """
    }
    return """
      import Foundation
      import Testing

      struct \(suite) {
        @Test func samples() {
      \(expectations.joined(separator: "\n"))
        }
      }

      """
  }
}
