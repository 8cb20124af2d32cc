import Testing

@testable import StorageCore

@Suite struct InvocationTests {
  @Test func `a command has a folder, whose name may begin with a dash after two dashes`() throws {
    #expect(try Invocation(["verify", "a b"]) == .command(.verify, folder: "a b"))
    #expect(try Invocation(["export", "--", "-a"]) == .command(.export, folder: "-a"))
  }

  @Test(arguments: [["--help"], ["-h"], ["verify", "--help"]])
  func `help is printed`(arguments: [String]) throws {
    #expect(try Invocation(arguments) == .help)
    let outcome = Outcome.of("--help")
    #expect(outcome.status == 0 && outcome.errors.isEmpty)
    #expect(outcome.lines.first == Invocation.usage)
  }

  @Test(arguments: [
    ([], "a command is missing"),
    (["look"], #"unknown command "look""#),
    (["verify"], "verify needs a folder"),
    (["verify", ""], "verify needs a folder"),
    (["verify", "--"], "verify needs a folder"),
    (["verify", "--fast"], #"unknown option "--fast""#),
    (["repair", "a", "b"], "repair takes only one folder"),
  ])
  func `invalid arguments are described`(arguments: [String], sentence: String) {
    do {
      _ = try Invocation(arguments)
      Issue.record("it was understood")
    } catch {
      #expect(error.description == sentence)
    }
  }

  @Test func `invalid arguments are reported on standard error, with the usage`() {
    #expect(
      Outcome.of("look\u{1B}")
        == Outcome(errors: [#"arbor-storage: unknown command "look\u{1B}""#, Invocation.usage], status: 2)
    )
  }
}
