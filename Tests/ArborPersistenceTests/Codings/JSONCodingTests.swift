import Arbor
import ArborPersistence
import Foundation
import Testing

@Suite("JSON of any depth")
struct JSONCodingTests {
  private indirect enum Tree: Codable, Equatable, Sendable {
    case leaf(Int)
    case node(Tree, [String: Int])

    static func deep(_ levels: Int) -> Tree {
      (0..<levels).reduce(.leaf(7)) { tree, _ in .node(tree, ["a[{\"]": 1]) }
    }
  }

  /// Calls a body on a queue whose threads have the smallest stacks.
  private func onQueue<Value: Sendable>(_ body: @escaping @Sendable () throws -> Value) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global(qos: .background).async { continuation.resume(with: Result { try body() }) }
    }
  }

  @Test(arguments: [0, 10, 40, 200])
  func `a value of many levels is decoded as it was on any queue`(levels: Int) async throws {
    let back = try await onQueue { try JSONCoding().decode(Tree.self, from: JSONCoding().encode(Tree.deep(levels))) }
    #expect(back == Tree.deep(levels))
  }

  @Test(arguments: [600, 5_000])
  func `a value that is too deep is an error with its path, and does not stop the program`(levels: Int) async throws {
    let error = try await onQueue { () -> EncodingError? in
      do {
        _ = try JSONCoding().encode(["tree": Tree.deep(levels)])
        return nil
      } catch {
        return error as? EncodingError
      }
    }
    guard case .invalidValue(_, let context) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.debugDescription == "The value is more than 512 levels deep.")
    #expect(context.codingPath.prefix(3).map(\.stringValue) == ["tree", "node", "_0"])
    #expect(context.codingPath.count > 500)
  }

  private struct Numbers: Codable, Equatable {
    var (a, b, c, d): (Int8, Int16, Int32, Int64) = (-1, .min, 3, 4)
    var (e, f, g, h): (UInt8, UInt16, UInt32, UInt64) = (1, 8080, 3, .max)
    var (i, j): (UInt, Float) = (5, 0.5)
    var k: UInt16? = 6
    var l: Set<UInt16> = [7]
    var m: ClosedRange<Int16> = 1...8
    var n: [UInt16: [Int8?]] = [1: [2, nil]]
    var o = Decimal(string: "1.25")!
    var p = [[UInt]](repeating: [1], count: 2)
  }

  @Test func `numbers of each type are encoded as JSONEncoder encodes them`() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let bytes = try JSONCoding().encode(Numbers())
    #expect(try bytes == encoder.encode(Numbers()))
    #expect(try JSONCoding().decode(Numbers.self, from: bytes) == Numbers())
    #expect(try JSONCoding().encode(UInt16(8080)) == Data("8080".utf8))
  }

  private struct Amount: Encodable {
    static let unit = CodingUserInfoKey(rawValue: "unit")!
    let count: Int

    func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(count * (encoder.userInfo[Self.unit] as! Int))
    }
  }

  @Test func `a type can read its user info whenever it is encoded`() throws {
    let coding = JSONCoding(userInfo: [Amount.unit: 100])
    #expect(try coding.encode([Amount(count: 2)]) == Data("[200]".utf8))
  }

  @Test func `the deepest value that is encoded can be decoded`() async throws {
    var levels = 0
    while (try? await onQueue { [levels] in try JSONCoding().encode(Tree.deep(levels + 1)) }) != nil { levels += 1 }
    #expect(levels > 200)
    let bytes = try await onQueue { [levels] in try JSONCoding().encode(Tree.deep(levels)) }
    #expect(try await onQueue { try JSONCoding().decode(Tree.self, from: bytes) } == Tree.deep(levels))
  }

  @Test func `bytes that are too deep are an error with their path`() async throws {
    let text = #"{"a]":[1,{"b":"# + String(repeating: "[", count: 5_000) + String(repeating: "]", count: 5_000) + "}]}"
    let error = await #expect(throws: DecodingError.self) {
      try await onQueue { try JSONCoding().decode([String: [Int]].self, from: Data(text.utf8)) }
    }
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(context.codingPath.prefix(4).map(\.stringValue) == ["a]", "Index 1", "b", "Index 0"])
    #expect(context.codingPath.count == 512)
  }

  @Test func `a part that is too deep is not saved, and is reported with its path`() async throws {
    struct State: Codable, Equatable, Sendable {
      var tree = Tree.leaf(1)
    }
    let storage = Storage.inMemory()
    let part = Persisted(\State.tree, as: "tree")
    let (state, _) = try await storage.load(into: State(), [part])
    let store = StoreFactory<State, Int>(
      initialState: state,
      feature: Feature { state, levels in state.tree = .deep(levels) },
      settings: TreeSettings(monitors: [storage.saving([part])])
    )
    store.dispatch(3_000)
    let error = await #expect(throws: StorageError.self) { try await storage.flush() }
    guard case .cannotEncode("tree", let path, _) = error else {
      Issue.record("\(error as Any)")
      return
    }
    #expect(path.hasPrefix("node._0.node._0."))
    await store.dispatchAndWait(1)
    try await storage.flush()
  }
}
