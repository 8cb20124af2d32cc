/// The file of a suite of tests.
package struct TestFile {
  /// The name of the suite's type.
  package var suite: String

  /// The modules that the file imports beside `Arbor`'s and Swift Testing: `@testable import Shop` for `@testable Shop`.
  package var modules: [String]

  package init(suite: String, modules: [String] = []) {
    self.suite = suite
    self.modules = modules
  }

  /// The text of the file.
  ///
  /// - Parameter functions: The tests, as ``TestSource/function()`` writes them.
  package func text(of functions: [String]) -> String {
    let plain = (["Arbor", "ArborTesting", "Testing"] + modules.filter { !$0.hasPrefix("@") }).sorted()
    let testable = modules.filter { $0.hasPrefix("@") }.sorted()
    var lines = plain.map { "import \($0)" }
    if !testable.isEmpty { lines += [""] + testable.map(TestFile.testableImport) }
    lines += ["", "struct \(suite) {", functions.joined(separator: "\n\n"), "}"]
    return lines.joined(separator: "\n") + "\n"
  }

  private static func testableImport(_ module: String) -> String {
    let parts = module.split(separator: " ")
    return "\(parts[0]) import \(parts.dropFirst().joined(separator: " "))"
  }
}
