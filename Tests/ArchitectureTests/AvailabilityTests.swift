import Foundation
import Testing

@Suite("Availability")
struct AvailabilityTests {
  @Test func `symbols of newer systems are used only after an availability check`() throws {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
      .standardizedFileURL
    // The steps of tutorials are programs.
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }
    #expect(names.count > 300)
    for name in names {
      let text = try String(contentsOf: folder.appending(path: name), encoding: .utf8)
      for use in AvailabilityReader.uses(in: text) {
        Issue.record(
          "\(name):\(use.line) names \(use.symbol), which macOS \(use.needed) has first: mark it, or ask for the system."
        )
      }
    }
  }

  private func symbols(in text: String) -> [String] {
    AvailabilityReader.uses(in: text).map(\.symbol)
  }

  @Test func `a symbol of a newer system is found, but not in comments and strings`() {
    #expect(symbols(in: "let mutex = Mutex(0)") == ["Mutex"])
    #expect(symbols(in: "// Mutex\nlet a = \"Mutex\"\nlet myMutex = b.isMutex") == [])
    #expect(symbols(in: "struct Cache<each Value> {\n}") == ["packs on generic types"])
    #expect(symbols(in: "func cache<each Value>(_: repeat each Value) {\n}") == [])
    #expect(symbols(in: "let nanoseconds = duration.attoseconds / 10") == ["attoseconds of a Duration"])
    #expect(symbols(in: "let rest = duration.components.attoseconds") == [])
    #expect(symbols(in: "await base.next(isolation: actor)") == ["next(isolation:)"])
  }

  @Test func `a marked declaration may use the symbols of its systems, and no more`() {
    let marked = """
      @available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
      @MainActor
      public final class Reader<
        Value
      >: Observable {
        let registrar = ObservationRegistrar()
        let mutex = Mutex(0)
      }
      let registrar = ObservationRegistrar()
      """
    #expect(symbols(in: marked) == ["Mutex", "ObservationRegistrar"])
    #expect(
      symbols(in: "@available(macOS 15, *)\nfunc f(executor: any TaskExecutor)\n\nlet a: TaskExecutor") == [
        "TaskExecutor"
      ])
    #expect(
      symbols(
        in: "@available(macOS 15, *)\nextension A: TaskExecutor {\n  func f() {\n    g(TaskExecutor.self)\n  }\n}")
        == [])
    #expect(symbols(in: "@available(*, noasync)\nfunc f() {\n  Mutex(0)\n}") == ["Mutex"])
  }

  @Test func `code inside an availability check may use the symbol, and its other branch may not`() {
    let asked = """
      func f() {
        if #available(macOS 15, iOS 18, *) {
          g(Mutex(0))
        } else {
          g(Mutex(1))
        }
        guard #available(macOS 15, *) else {
          return g(Mutex(2))
        }
        g(Mutex(3))
      }
      func h() { g(Mutex(4)) }
      """
    #expect(AvailabilityReader.uses(in: asked).map(\.line) == [5, 8, 12])
  }

  @Test func `code that is compiled only on other systems may use anything`() {
    let conditional = """
      #if canImport(Darwin) || APPLE_STUBS
        let a = Mutex(0)
      #else
        let b = Mutex(0)
        #if TSAN
          let c = Mutex(0)
        #endif
      #endif
      #if !(canImport(Darwin) || APPLE_STUBS)
        let d = Mutex(0)
      #else
        let e = Mutex(0)
      #endif
      """
    #expect(AvailabilityReader.uses(in: conditional).map(\.line) == [2, 12])
  }
}
