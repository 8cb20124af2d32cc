import Testing

@testable import TodosCore

struct OptionsTests {
  @Test func `options and the folder come in any order`() throws {
    let none = try #require(Options([]))
    #expect(none.folder == Options.usualFolder && !none.isLogging && !none.isMeasuring)
    let all = try #require(Options(["--metrics", "list", "--log"]))
    #expect(all.folder == "list" && all.isLogging && all.isMeasuring)
  }

  @Test(arguments: [["-x"], ["a", "b"], ["--log", "--help"], ["--"]])
  func `invalid arguments are refused`(arguments: [String]) {
    #expect(Options(arguments) == nil)
  }
}
