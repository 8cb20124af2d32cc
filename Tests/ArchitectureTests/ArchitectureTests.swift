import Foundation
import Testing

@Suite("The architecture")
struct ArchitectureTests {
  /// A module with layers. Its sources are read once for all tests.
  struct Module: Sendable, CustomTestStringConvertible {
    let name: String
    let layers: Layers
    let sources: Result<Sources, any Error>

    init(_ name: String, _ layers: Layers) {
      self.name = name
      self.layers = layers
      sources = Result {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources/\(name)")
        return try Sources(of: folder.standardizedFileURL)
      }
    }

    var testDescription: String { name }
  }

  /// The core, the toolkit above it, and the tables above that. The compiler refuses a module that names a higher one.
  private static let core = Module("ArborCore", .core)
  private static let modules = [core, Module("Arbor", .toolkit), Module("ArborEntities", .entities)]

  @Test(arguments: modules)
  func `every file is in a layer`(of module: Module) throws {
    for file in try module.sources.get().files where module.layers.row(of: file.layer) == nil {
      Issue.record("\(file.path) is in a folder that is not a layer. The layers are declared in Layers.swift.")
    }
  }

  @Test(arguments: modules)
  func `a layer names only layers below it`(of module: Module) throws {
    let layers = module.layers
    for arrow in try module.sources.get().arrows() {
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

  @Test(arguments: modules)
  func `files that name each other are few, and in one layer`(of module: Module) throws {
    for circle in try module.sources.get().circles() {
      let names = circle.map(\.path).joined(separator: ", ")
      let limit = module.layers.circles[circle[0].layer] ?? 1
      #expect(Set(circle.map(\.layer)).count == 1, "these files of several layers name each other: \(names)")
      #expect(circle.count <= limit, "these files name each other, directly or through others: \(names)")
    }
  }

  @Test func `the kernel names none of the capabilities that were once part of it`() throws {
    for file in try Self.core.sources.get().files where Layers.kernel.contains(file.layer) {
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
  func `a name with the word of a capability is found`(name: String) {
    #expect(Layers.namesCapability(name))
  }

  @Test(arguments: ["threshold", "addedCount", "SavedStep", "traversal", "Swift"])
  func `a name without such a word is not found`(name: String) {
    #expect(!Layers.namesCapability(name))
  }

  @Test(arguments: modules)
  func `no file is long`(of module: Module) throws {
    for file in try module.sources.get().files {
      #expect(file.lines.count <= 301, "\(file.path) is longer than 300 lines")
    }
  }

  @Test func `strings and comments do not count as code`() {
    let text = #"""
      let a = "Door // \"Key\"" + B // C
      let text = """
        Window
        """
      """#
    #expect(Sources.code(in: text).flatMap { Sources.typeNames(in: $0) } == ["B"])
  }
}
