import Arbor
import ArborPersistence
import Foundation
import TestSupport
import Testing

/// Small storages with every byte flipped, and every file cut to every length.
@Suite("Damaged storages")
struct DamageTests {
  /// A storage with a state and a log of the later changes, and the notebook after each step.
  private struct Sample {
    let folder: MemoryFolder
    let history: [Notebook]
    let isJournaled: Bool

    init(isJournaled: Bool) async throws {
      self.isJournaled = isJournaled
      folder = MemoryFolder()
      let storage = try Storage(folder, durability: .full)
      let store = try await Self.open(storage, isJournaled)
      var history = [Notebook(), store.state]
      for action in [NotebookAction.add("milk"), .theme("dark"), .add("bread"), .theme("blue")] {
        try await store.dispatchDurably(action)
        history.append(store.state)
      }
      self.history = history
      guard isJournaled else {
        try await storage.close()
        return
      }
      // A closed journal has no log.
      storage.endAsIfKilled()
      _ = try folder.create("\(FolderContents(of: folder).entry).end")
    }

    private static func open(
      _ storage: Storage,
      _ isJournaled: Bool
    ) async throws -> StoreFactory<Notebook, NotebookAction> {
      guard isJournaled else {
        let (state, _) = try await storage.load(into: Notebook(), Notebooks.all)
        return StoreFactory(
          initialState: state,
          feature: Notebooks.feature,
          settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all)])
        )
      }
      let journal = Journal(of: Notebooks.feature)
      let (state, _) = try await storage.load(into: Notebook(), Notebooks.all, journal)
      return StoreFactory(
        initialState: state,
        feature: Notebooks.feature,
        settings: TreeSettings(monitors: [storage.savingWhenAsked(Notebooks.all, journal)])
      )
    }

    /// Loads a damaged copy, and checks that the damage is reported and that each loaded part once existed.
    func check(_ damaged: MemoryFolder, _ what: String) async throws {
      let storage = try Storage(damaged, durability: .full)
      let (state, report): (Notebook, LoadReport)
      do {
        if isJournaled {
          (state, report) = try await storage.load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
        } else {
          (state, report) = try await storage.load(into: Notebook(), Notebooks.all)
        }
      } catch {
        // The error reports the damage.
        return
      }
      // Each part may be lost separately, but every loaded part must have existed.
      #expect(history.contains { $0.notes == state.notes }, "\(what): \(state)")
      #expect(history.contains { $0.settings == state.settings }, "\(what): \(state)")
      #expect(state == history.last || !report.notes.isEmpty, "\(what) was not reported")
      #expect(Set(report.keptFiles).isSubset(of: damaged.names()), "\(what)")
      let (_, again) = try await Storage(damaged.copy(), durability: .full)
        .load(into: Notebook(), Notebooks.all, Journal(of: Notebooks.feature))
      #expect(again.keptFiles.count <= report.keptFiles.count + 1, "\(what)")
    }
  }

  /// The distance between two bytes that are tried: 1, or more under a sanitizer.
  private static let step = 25 / repetitions(25)

  @Test(arguments: [false, true])
  func `P2 each flipped byte is reported or harmless, and no wrong state is loaded`(isJournaled: Bool) async throws {
    let sample = try await Sample(isJournaled: isJournaled)
    for name in sample.folder.names() {
      let bytes = try #require(sample.folder.open(name)).readAll()
      for place in stride(from: 0, to: bytes.count, by: Self.step) {
        var flipped = bytes
        flipped[place] ^= 1 << (place % 8)
        try await sample.check(sample.folder.copy(with: flipped, as: name), "\(name), byte \(place)")
      }
    }
  }

  @Test(arguments: [false, true])
  func `P2 a file cut to any length is reported or harmless, and no wrong state is loaded`(isJournaled: Bool)
    async throws
  {
    let sample = try await Sample(isJournaled: isJournaled)
    for name in sample.folder.names() {
      let bytes = try #require(sample.folder.open(name)).readAll()
      for length in stride(from: 0, to: bytes.count, by: Self.step) {
        try await sample.check(sample.folder.copy(with: Array(bytes[..<length]), as: name), "\(name), length \(length)")
      }
      let gone = sample.folder.copy()
      gone.remove(name)
      try await sample.check(gone, "\(name), gone")
    }
  }

  @Test func `P2 random bytes in place of a file are reported and kept aside`() async throws {
    let sample = try await Sample(isJournaled: true)
    var random = SplitMix64(seed: 1)
    for name in sample.folder.names() {
      for length in [0, 1, 31, 32, 100, 5000] {
        let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &random) }
        try await sample.check(sample.folder.copy(with: bytes, as: name), "\(name), \(length) random bytes")
      }
    }
  }

  @Test func `P2 a lost part is reported with the copy of the file that contained it`() async throws {
    let folder = MemoryFolder()
    let first = try await OpenNotebook(in: folder)
    // The first save writes a state, because a log would be too long. The second save writes a log after it.
    try await first.save(.add(String(repeating: "x", count: 300_000)))
    try await first.save(.theme("dark"))
    try await first.storage.close()
    for name in folder.names() {
      var bytes = try #require(folder.open(name)).readAll()
      guard !bytes.isEmpty else { continue }
      bytes[bytes.count / 2] ^= 1
      folder.remove(name)
      try folder.create(name).append(bytes)
    }
    let report = try await OpenNotebook(in: folder).report
    let state = try #require(report.keptFiles.first { $0.contains(".state.") })
    #expect(report.keptFiles.count == 2)
    guard case .damaged(_, keptAs: state) = report.parts["notes"] else {
      Issue.record("\(report.parts)")
      return
    }
  }

  @Test func `a damaged file is kept aside byte for byte, regardless of later saves`() async throws {
    let sample = try await Sample(isJournaled: true)
    let log = try #require(sample.folder.names().first { $0.hasSuffix(".log") })
    var bytes = try #require(sample.folder.open(log)).readAll()
    bytes[FrameFileHeader.length + 30] ^= 1
    let damaged = sample.folder.copy(with: bytes, as: log)
    for number in 0..<3 {
      let journal = try await OpenJournal(in: damaged)
      try await journal.save(.add("\(number)"))
      try await journal.storage.close()
    }
    let kept = try #require(damaged.open(KeptAside.name(of: log)))
    #expect(try kept.readAll() == bytes)
    #expect(damaged.names().filter { $0.hasSuffix(".damaged") } == [KeptAside.name(of: log)])
    #expect(try await OpenJournal(in: damaged).store.state.notes == ["0", "1", "2"])
  }
}

extension MemoryFolder {
  /// Returns a folder with the same files, except that one file has other bytes.
  fileprivate func copy(with bytes: [UInt8], as name: String) -> MemoryFolder {
    let copy = copy()
    copy.remove(name)
    try! copy.create(name).append(bytes)
    return copy
  }
}
