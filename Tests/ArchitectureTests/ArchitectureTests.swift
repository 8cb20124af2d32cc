import Foundation
import Testing

@Suite("The architecture")
struct ArchitectureTests {
  /// The sources of `Arbor`, read once for all tests.
  private static let arbor = Result {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Arbor")
    return try Sources(of: folder.standardizedFileURL)
  }

  @Test func `Every file of Arbor lies on a floor`() throws {
    for file in try Self.arbor.get().files where Floors.arbor.row(of: file.floor) == nil {
      Issue.record("\(file.path) lies in a folder that is no floor. The floors are declared in Floors.swift.")
    }
  }

  @Test func `A floor names those below it and none above`() throws {
    let floors = Floors.arbor
    for arrow in try Self.arbor.get().arrows() {
      guard !floors.mayName(arrow.target.floor, from: arrow.file.floor) else { continue }
      let allowed = floors.floors(thatMayName: arrow.target.floor).map { $0.isEmpty ? "the module's own folder" : $0 }
      Issue.record(
        """
        \(arrow.place) names \(arrow.name), which \(arrow.target.path) declares. \
        That may stand in \(allowed.joined(separator: ", ")), and not in \(arrow.file.floor).
        """
      )
    }
  }

  @Test func `Files that name each other are few, and of one floor`() throws {
    for circle in try Self.arbor.get().circles() {
      let names = circle.map(\.path).joined(separator: ", ")
      let limit = Floors.arbor.circles[circle[0].floor] ?? 1
      #expect(Set(circle.map(\.floor)).count == 1, "these files of several floors name each other: \(names)")
      #expect(circle.count <= limit, "these files name each other, directly or through others: \(names)")
    }
  }

  @Test func `Files are few, and none is long`() throws {
    let files = try Self.arbor.get().files
    #expect(files.count <= 150)
    #expect(files.count { $0.floor == "Engine" } <= 25)
    #expect(files.count { $0.floor == "Steps" } <= 13)
    for file in files { #expect(file.lines.count <= 301, "\(file.path) is longer than 300 lines") }
  }

  @Test func `Strings and comments are no code`() {
    let text = #"""
      let a = "Door // \"Key\"" + B // C
      let text = """
        Window
        """
      """#
    #expect(Sources.code(in: text).flatMap { Sources.words(in: $0) } == ["B"])
  }
}
