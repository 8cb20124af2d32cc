import Arbor
import ArborDevTools
import Foundation
import TestSupport
import Testing

@Suite("Recordings of many stores", .oneThread)
struct ManyStoresTests {
  private enum Action: Codable, Sendable {
    case add
  }

  /// Returns the bytes of a recording of many stores below the root. Half of them exist before the first entry, and each
  /// changes once.
  private static func file(ofStores count: Int) throws -> [UInt8] {
    func state(_ number: Int) -> RecordedValue { .object(RecordedObject([.init("count", RecordedValue(number))])) }
    var base = [RecordedObject.Member("1", .integer(0))]
    base += (0..<(count / 2)).map { RecordedObject.Member("\($0 + 2)", state(0)) }
    let header = RecordingDocument.Header(
      name: "Stores",
      state: "Int",
      action: "Action",
      began: Date(timeIntervalSince1970: 0),
      encoding: .codable,
      base: RecordedObject(base)
    )
    var bytes: [UInt8] = []
    let writer = try RecordingFileWriter(header) { bytes += $0 }
    for number in 0..<count {
      let store = number + 2
      var entry = RecordingDocument.Entry(number: number + 1, store: store, name: "add", text: "add")
      if number < count / 2 {
        entry.changes = [RecordingChange([.key("\(store)"), .key("count")], .integer(1))]
      } else {
        entry.changes = [RecordingChange([.key("\(store)")], state(1))]
        entry.made = [store]
      }
      try writer.append(entry)
    }
    try writer.finish(RecordingDocument.Trailer(stores: [], tasks: [], metrics: nil, position: count, omitted: 0))
    return bytes
  }

  /// Returns the shortest processor time of five runs, in seconds. Only this thread's time counts.
  private static func work(_ body: () throws -> Void) rethrows -> Double {
    func processorTime() -> Double {
      // These are the seconds and nanoseconds. The type's members aren't visible in optimized builds.
      var time = [0, 0]
      time.withUnsafeMutableBytes { bytes in
        _ = clock_gettime(CLOCK_THREAD_CPUTIME_ID, bytes.assumingMemoryBound(to: timespec.self).baseAddress!)
      }
      return Double(time[0]) + Double(time[1]) / 1e9
    }
    var shortest = Double.infinity
    for _ in 0..<5 {
      let start = processorTime()
      try body()
      shortest = min(shortest, processorTime() - start)
    }
    return shortest
  }

  @Test func `reading and writing eight times as many stores takes eight times the work`() throws {
    func reading(_ bytes: [UInt8], _ recording: inout Recording<Int, Action>?) throws -> Double {
      try Self.work { recording = try Recording(RecordingFileReader(bytes)) { _, _ in } }
    }
    func writing(_ recording: Recording<Int, Action>?, to folder: URL, as name: String) throws -> Double {
      try Self.work { try recording?.write(to: folder.appending(path: name)) }
    }
    try Recordings.withFolder { folder in
      var few: Recording<Int, Action>?
      var many: Recording<Int, Action>?
      let read = try (reading(Self.file(ofStores: 500), &few), reading(Self.file(ofStores: 4000), &many))
      let written = try (writing(few, to: folder, as: "few"), writing(many, to: folder, as: "many"))
      #expect(few?.count == 500 && many?.count == 4000)
      #expect(try many?.stores(at: 4000).count == 4001)
      // It would be 64 times as much if each entry checked all stores.
      #expect(read.1 < 24 * read.0, "\(read) seconds to read")
      #expect(written.1 < 24 * written.0, "\(written) seconds to write")
    }
  }

  @Test func `writing a recorder's recording of eight times as many live stores takes eight times the work`() throws {
    func writing(ofStores count: Int, to file: URL) throws -> Double {
      let recorder = Recorder<Int, Action>()
      let factory = StoreFactory<Int, Action>(
        initialState: 0,
        settings: TreeSettings(monitors: [recorder]),
        reducer: { _, _ in }
      )
      let children = (0..<count).map { _ in
        factory.childStore(initialState: 0, stateMapping: { $1 }, reducer: { (state: inout Int, _) in state += 1 })
      }
      for child in children { child.store().dispatchAndWait(.add) }
      let work = try Self.work { try recorder.recording?.write(to: file) }
      #expect(recorder.recording?.count == count)
      #expect(try recorder.recording?.stores(at: count).count == count + 1)
      return work
    }
    try Recordings.withFolder { folder in
      let few = try writing(ofStores: 500, to: folder.appending(path: "few"))
      let many = try writing(ofStores: 4000, to: folder.appending(path: "many"))
      // It would be 64 times as much if each entry checked all stores.
      #expect(many < 24 * few, "\(few) and \(many) seconds to write")
    }
  }

  @Test func `a recording of many stores is the same after it was written and read`() throws {
    let bytes = try Self.file(ofStores: 200)
    try Recordings.withFolder { folder in
      let file = folder.appending(path: "a.arbor.json")
      let recording = try Recording<Int, Action>(RecordingFileReader(bytes)) { _, _ in }
      try recording.write(to: file)
      let again = try Recording<Int, Action>(contentsOf: file) { _, _ in }
      for position in [0, 1, 99, 100, 150, 200] {
        let stores = try recording.stores(at: position).map(\.id)
        #expect(try again.stores(at: position).map(\.id) == stores)
        for store in stores {
          let states = try [recording, again].map { try $0.state(of: store, at: position) as? RecordedValue }
          #expect(store == 1 || states[0] != nil && states[0] == states[1])
        }
      }
    }
  }
}
