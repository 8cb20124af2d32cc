import ArborPersistence
import Testing

@testable import StorageCore

@Suite struct TerminalTests {
  @Test func `columns are as wide as their longest text, and numbers end at the right`() {
    var table = Table(.init(title: "name"), .init(title: "bytes", isNumber: true), .init(title: "coding"))
    table.add("a", 1_234_567.grouped, "json")
    table.add("longer\n", "7", "b")
    #expect(
      table.lines == [
        "name          bytes  coding",
        "a         1,234,567  json",
        #"longer\n          7  b"#,
      ]
    )
  }

  @Test(arguments: [
    (0, "0 steps"), (1, "1 step"), (999, "999 steps"), (1_000, "1,000 steps"), (-1_234_567, "-1,234,567 steps"),
  ])
  func `numbers have commas between groups of three digits`(number: Int, text: String) {
    #expect(number.of("step") == text)
  }

  @Test func `progress is one line, rewritten when the number changes and cleared at the end`() {
    var text = ""
    var line = ProgressLine(isTerminal: true) { text += $0 }
    let size = 100 << 20
    line.show(read: 0, of: size)
    line.show(read: 1, of: size)
    line.show(read: 43 << 20, of: size)
    line.show(read: size, of: size)
    line.clear()
    line.clear()
    #expect(
      text.split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
        == ["", "reading   0 %", "reading  43 %", "checking", ""]
    )
  }

  @Test func `progress is not shown for small files, or without a terminal`() {
    var text = ""
    var small = ProgressLine(isTerminal: true) { text += $0 }
    small.show(read: 1, of: 8 << 20)
    small.clear()
    var unseen = ProgressLine(isTerminal: false) { text += $0 }
    unseen.show(read: 1, of: 100 << 20)
    unseen.clear()
    #expect(text.isEmpty)
  }

  @Test func `a long file is read with progress, and the answer follows on a separate line`()
    async throws
  {
    let folder = try TemporaryFolder()
    try await Notebooks.save([Notebooks.notes], .add(String(repeating: "a", count: 9 << 20)), in: folder)
    var progress: [Int] = []
    let contents = try StorageContents(of: folder.url) { read, _ in progress.append(read) }
    #expect(progress.count >= 9 && progress == progress.sorted() && progress.last == contents.files.first?.size)
    let seen = Outcome.of("verify", folder.path, isErrorTerminal: true)
    let texts = seen.errors.joined().split(separator: "\r\u{1B}[K", omittingEmptySubsequences: false)
    #expect(texts.first == "" && texts.last == "" && texts.contains("reading  11 %") && texts.contains("checking"))
    #expect(seen.status == 0 && seen.lines == Outcome.of("verify", folder.path).lines)
    #expect(Outcome.of("verify", folder.path).errors.isEmpty)
  }

  @Test func `lines are written in chunks, and the rest at the end`() throws {
    var chunks: [Int] = []
    var output = Output { bytes throws(Output.Failure) in chunks.append(bytes.count) }
    for _ in 0..<Output.chunkSize / 32 + 1 { try output.add(line: String(repeating: "a", count: 31)) }
    try output.flush()
    try output.flush()
    #expect(chunks == [Output.chunkSize, 32])
  }

  @Test func `a missing reader ends the program quietly, and a full disk with a message`() async throws {
    let folder = try TemporaryFolder()
    try await Notebooks.save([Notebooks.notes], .add("milk"), in: folder)
    var errors = ""
    func run(_ failure: Output.Failure) -> Status {
      let streams = Streams(
        output: { _ throws(Output.Failure) in throw failure },
        error: { errors += $0 },
        isErrorTerminal: false
      )
      return Program.run(["export", folder.path], streams)
    }
    #expect(run(.closed) == .fine && errors.isEmpty)
    #expect(run(.system(28)) == .failed)
    #expect(errors == "arbor-storage: the output could not be written: No space left on device\n")
  }
}
