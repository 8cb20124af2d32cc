import ArborPersistence
import Foundation
import Testing

@Suite struct ProcessTests {
  @Test func `lines, sentences and the status reach the caller of the program`() async throws {
    let folder = try TemporaryFolder()
    #expect(
      try ToolProcess.run("verify", folder.path)
        == Outcome(errors: ["arbor-storage: there is no storage in \(folder.path)"], status: 2)
    )
    try await Notebooks.save([Notebooks.notes], .add("milk"), .add("tea"), in: folder)
    #expect(
      try ToolProcess.run("verify", folder.path) == Outcome(lines: ["everything is intact, up to entry 2"])
    )
    try folder.cut(folder.name(endingIn: ".log"), by: 1)
    #expect(try ToolProcess.run("verify", folder.path).status == 1)
    #expect(try ToolProcess.run("repair", folder.path).status == 0)
    #expect(try ToolProcess.run("verify", folder.path).status == 0)
    #expect(try ToolProcess.run("--help").lines.first?.hasPrefix("usage: ") == true)
    #expect(try ToolProcess.run().status == 2)
  }

  @Test func `a reader that has seen enough receives no error`() async throws {
    let folder = try TemporaryFolder()
    // More than a pipe holds.
    let actions = (0..<20_000).map { NotebookAction.add("note \($0)") }
    try await Notebooks.journal(Journal(of: Notebooks.feature), actions, in: folder)
    let process = try ToolProcess(["export", folder.path])
    #expect(try process.closeOutput(after: 100) == 100)
    #expect(try process.finish() == Outcome())
  }
}
