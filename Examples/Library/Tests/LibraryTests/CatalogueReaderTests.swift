import Foundation
import Testing

@testable import LibraryCore

@Suite struct CatalogueReaderTests {
  private let folder: TemporaryFolder
  private let walden = #"{"id":1,"title":"Walden","author":"Henry David Thoreau","year":1854}"#
  private let entry = CatalogueEntry(id: 1, title: "Walden", author: "Henry David Thoreau", year: 1854)

  init() throws {
    folder = try TemporaryFolder()
  }

  private func rows(of text: String) throws -> [CatalogueRow] {
    try rows(of: Array(text.utf8))
  }

  private func rows(of bytes: [UInt8]) throws -> [CatalogueRow] {
    var reader = try CatalogueReader(path: folder.write(bytes, to: "catalogue.jsonl"))
    var rows: [CatalogueRow] = []
    while let next = try reader.next() { rows += next }
    #expect(reader.bytes == bytes.count)
    #expect(reader.length == bytes.count)
    return rows
  }

  @Test func `a line is a book, with keys in any order, unknown keys ignored, and an optional year`() throws {
    let rows = try rows(of: walden + "\n" + #"{"pages":[1],"author":" b ","title":"a\nb","id":-2,"year":null}"#)
    #expect(
      rows == [
        CatalogueRow(line: 1, entry: .success(entry)),
        CatalogueRow(line: 2, entry: .success(CatalogueEntry(id: -2, title: "a\nb", author: "b", year: nil))),
      ]
    )
  }

  @Test func `blank lines are not rows, but are counted`() throws {
    #expect(try rows(of: "\n \t\r\n\(walden)\n\n\(walden)\n\n").map(\.line) == [3, 5])
    #expect(try rows(of: "").isEmpty)
    #expect(try rows(of: "\n").isEmpty)
  }

  @Test func `the last line may lack its end, and lines may end as on other systems`() throws {
    #expect(
      try rows(of: "\u{FEFF}\(walden)\r\n\(walden)\r\n\(walden)")
        == (1...3).map {
          CatalogueRow(line: $0, entry: .success(entry))
        }
    )
  }

  @Test(
    arguments: [
      ("nonsense", .notJSON),
      (#"{"id":1,"title":"a","author":"b""#, .notJSON),
      (#"{"id":1,"title":"a","author":"b"} {}"#, .notJSON),
      ("[1]", .notAnObject),
      ("7", .notAnObject),
      ("null", .notAnObject),
      (#"{"title":"a","author":"b"}"#, .missing("id")),
      (#"{"id":null,"title":"a","author":"b"}"#, .missing("id")),
      (#"{"id":"7","title":"a","author":"b"}"#, .wrongType("id")),
      (#"{"id":7.5,"title":"a","author":"b"}"#, .notWhole),
      (#"{"id":99999999999999999999,"title":"a","author":"b"}"#, .notWhole),
      (#"{"id":7,"author":"b"}"#, .missing("title")),
      (#"{"id":7,"title":" ","author":"b"}"#, .blank("title")),
      (#"{"id":7,"title":"a"}"#, .missing("author")),
      (#"{"id":7,"title":"a","author":""}"#, .blank("author")),
      (#"{"id":7,"title":"a","author":"b","year":"MDCCC"}"#, .wrongType("year")),
      (#"{"id":7,"title":"a","author":"b","year":1854.5}"#, .notWhole),
      (#"{"id":7,"title":"a","author":"b","year":0}"#, .year(0)),
      (#"{"id":7,"title":"a","author":"b","year":18540}"#, .year(18540)),
    ] as [(String, RowError)]
  )
  func `a line that is not a book gives the reason, and the next one is read`(line: String, error: RowError) throws {
    #expect(
      try rows(of: "\(walden)\n\(line)\n\(walden)\n") == [
        CatalogueRow(line: 1, entry: .success(entry)),
        CatalogueRow(line: 2, entry: .failure(error)),
        CatalogueRow(line: 3, entry: .success(entry)),
      ]
    )
  }

  @Test func `bytes that are not text are reported`() throws {
    let bad = Array(walden.utf8.prefix(20)) + [0xFF] + Array(walden.utf8.dropFirst(20))
    #expect(try rows(of: bad + [0x0A] + Array(walden.utf8)).map(\.entry) == [.failure(.notText), .success(entry)])
  }

  @Test func `a line may be longer than a piece`() throws {
    let title = String(repeating: "Walden ", count: 100_000) + "."
    let line = #"{"id":1,"title":"\#(title)","author":"a"}"#
    let rows = try rows(of: "\(walden)\n\(line)\n\n\(line)\n\(walden)")
    let long = CatalogueEntry(id: 1, title: title, author: "a", year: nil)
    #expect(rows.map(\.line) == [1, 2, 4, 5])
    #expect(rows.map(\.entry) == [entry, long, long, entry].map { .success($0) })
  }

  @Test func `a line longer than a megabyte is a bad row, and the next one is read`() throws {
    func line(of length: Int) -> String {
      let frame = #"{"id":1,"title":"","author":"a"}"#
      return frame.replacing(#""title":""#, with: #""title":""# + String(repeating: "x", count: length - frame.count))
    }
    let longest = CatalogueLine.longest
    let lines = [walden, line(of: longest), "", line(of: longest + 1), line(of: 5 * longest), walden]
    let rows = try rows(of: lines.joined(separator: "\n"))
    #expect(rows.map(\.line) == [1, 2, 4, 5, 6])
    #expect(rows.map { (try? $0.entry.get())?.title.count } == [6, longest - 32, nil, nil, 6])
    #expect(rows[2].entry == .failure(.tooLong))
    #expect(rows[3].entry == .failure(.tooLong))
    #expect(try self.rows(of: line(of: longest + 1)) == [CatalogueRow(line: 1, entry: .failure(.tooLong))])
  }

  @Test func `a line that does not end is kept only up to the maximum`() throws {
    let path = try folder.write([], to: "catalogue.jsonl")
    try #require(truncate(path, off_t(64 * CatalogueLine.longest)) == 0)
    var reader = try CatalogueReader(path: path)
    var mostKept = 0
    while let rows = try reader.next() {
      mostKept = max(mostKept, reader.line.text.count)
      #expect(rows.isEmpty || rows == [CatalogueRow(line: 1, entry: .failure(.tooLong))])
    }
    #expect(reader.bytes == 64 * CatalogueLine.longest)
    #expect((1...CatalogueLine.longest).contains(mostKept))
  }

  @Test func `each reason is a sentence`() {
    #expect("\(RowError.tooLong)" == "the line is longer than 1048576 bytes")
    #expect("\(RowError.notText)" == "the line is not UTF-8 text")
    #expect("\(RowError.missing("id"))" == "\"id\" is missing")
    #expect("\(RowError.year(0))" == "the year 0 is not between 1 and 9999")
  }
}
