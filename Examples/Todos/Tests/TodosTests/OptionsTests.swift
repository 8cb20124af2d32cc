import Testing

@testable import TodosCore

struct OptionsTests {
  @Test func `options and the file come in any order`() throws {
    let none = try #require(Options([]))
    #expect(none.file == "todos.jsonl" && !none.isLogging && !none.isMeasuring)
    let all = try #require(Options(["--metrics", "list.jsonl", "--log"]))
    #expect(all.file == "list.jsonl" && all.isLogging && all.isMeasuring)
  }

  @Test(arguments: [["-x"], ["a", "b"], ["--log", "--help"], ["--"]])
  func `what is not to be understood is refused`(arguments: [String]) {
    #expect(Options(arguments) == nil)
  }
}
