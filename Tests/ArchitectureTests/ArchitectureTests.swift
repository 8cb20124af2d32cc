import Foundation
import Testing

@Suite("The architecture")
struct ArchitectureTests {
  /// The sources of `Arbor`, read once for all tests.
  private static let arbor = Result {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/Arbor")
    return try Sources(of: folder.standardizedFileURL)
  }

  @Test func `Every file of Arbor lies in a layer`() throws {
    for file in try Self.arbor.get().files where Layers.arbor.row(of: file.layer) == nil {
      Issue.record("\(file.path) lies in a folder that is no layer. The layers are declared in Layers.swift.")
    }
  }

  @Test func `A layer names those below it and none above`() throws {
    let layers = Layers.arbor
    for arrow in try Self.arbor.get().arrows() {
      guard !layers.mayName(arrow.target.layer, from: arrow.file.layer) else { continue }
      let allowed = layers.layers(thatMayName: arrow.target.layer).map { $0.isEmpty ? "the module's own folder" : $0 }
      Issue.record(
        """
        \(arrow.place) names \(arrow.name), which \(arrow.target.path) declares. \
        That may stand in \(allowed.joined(separator: ", ")), and not in \(arrow.file.layer).
        """
      )
    }
  }

  @Test func `Files that name each other are few, and of one layer`() throws {
    for circle in try Self.arbor.get().circles() {
      let names = circle.map(\.path).joined(separator: ", ")
      let limit = Layers.arbor.circles[circle[0].layer] ?? 1
      #expect(Set(circle.map(\.layer)).count == 1, "these files of several layers name each other: \(names)")
      #expect(circle.count <= limit, "these files name each other, directly or through others: \(names)")
    }
  }

  @Test func `The kernel names none of the capabilities that were once part of it`() throws {
    for file in try Self.arbor.get().files where Layers.kernel.contains(file.layer) {
      for (number, line) in file.lines.enumerated() {
        for name in Sources.names(in: line) where Layers.namesCapability(name) {
          Issue.record(
            """
            \(file.path):\(number + 1) names a capability: \(name). What a capability needs there is a hook, named for what \
            it does in the kernel.
            """
          )
        }
      }
    }
  }

  @Test(arguments: [
    "Travel", "isTravelling", "heldActions", "HeldAction", "Additions", "SharedRoot", "recordedStores", "StateRecorder",
    "history",
  ])
  func `A name with the word of a capability is found`(name: String) {
    #expect(Layers.namesCapability(name))
  }

  @Test(arguments: ["threshold", "addedCount", "SavedStep", "traversal", "Swift"])
  func `A name without one is not`(name: String) {
    #expect(!Layers.namesCapability(name))
  }

  @Test func `No file is long`() throws {
    for file in try Self.arbor.get().files {
      #expect(file.lines.count <= 301, "\(file.path) is longer than 300 lines")
    }
  }

  @Test func `Strings and comments are no code`() {
    let text = #"""
      let a = "Door // \"Key\"" + B // C
      let text = """
        Window
        """
      """#
    #expect(Sources.code(in: text).flatMap { Sources.typeNames(in: $0) } == ["B"])
  }
}
