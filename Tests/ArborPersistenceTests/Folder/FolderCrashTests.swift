import ArborPersistence
import SimulatedFiles
import TestSupport
import Testing

/// States and logs in a folder that crashes at any operation, and loses, reorders and tears unsynced writes.
@Suite("Folders and crashes", .oneThread)
struct FolderCrashTests {
  #if DEBUG
    private static let workloadLength = 2
  #elseif ASAN
    private static let workloadLength = 3
  #else
    private static let workloadLength = 4
  #endif
  private static let seedCount: UInt64 = Setting.number("ARBOR_CRASHES") ?? UInt64(repetitions(20_000))

  /// Returns all sequences of operations of a length.
  private static func workloads(of length: Int) -> [[FolderWorkload.Operation]] {
    guard length > 0 else { return [[]] }
    return workloads(of: length - 1).flatMap { first in FolderWorkload.Operation.allCases.map { first + [$0] } }
  }

  @Test(arguments: 1...FolderCrashTests.workloadLength)
  func `P1 P2 P5 a workload that crashes at any operation is found as last acknowledged or later`(length: Int) throws {
    var random = SplitMix64(seed: 1)
    for workload in Self.workloads(of: length) {
      var operation = 0
      var hasCrashed = true
      while hasCrashed {
        operation += 1
        var program = FolderWorkload()
        program.folder.lastOperation = program.folder.operations + operation
        for step in workload where !program.folder.hasCrashed { try? program.perform(step) }
        hasCrashed = program.folder.hasCrashed
        for _ in 0..<4 {
          var after = program
          after.start(from: program.folder.afterCrash(choosing: &random))
          try #require(after.complaint == nil, "\(workload) crashed at operation \(operation)")
        }
        var killed = program
        killed.start(from: program.folder.afterKill())
        try #require(killed.complaint == nil, "\(workload) killed at operation \(operation)")
      }
    }
  }

  @Test func `P1 P2 P5 programs that crash, are killed, fail and start again keep acknowledged entries`() throws {
    for seed in 0..<Self.seedCount {
      if let complaint = Self.run(seed) {
        Issue.record("seed \(seed): \(complaint)")
        return
      }
    }
  }

  @Test(arguments: SimulatedFolder.Defect.allCases)
  func `a defective disk is detected`(defect: SimulatedFolder.Defect) {
    #expect((0..<500).contains { Self.run($0, defect) != nil })
  }

  /// Runs a random program. Returns a complaint; nil if everything is right.
  private static func run(_ seed: UInt64, _ defect: SimulatedFolder.Defect? = nil) -> String? {
    var random = SplitMix64(seed: seed)
    var program = FolderWorkload()
    program.folder.defect = defect
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let failing = Bool.random(using: &random) ? 0 : Int.random(in: 1...40, using: &random)
      let lasts = Bool.random(using: &random)
      let reason: FileError.Reason = Bool.random(using: &random) ? .noSpace : .other(5)
      let start = program.folder.operations
      program.folder.failure = { number, _ in
        failing > 0 && (number - start == failing || lasts && number - start > failing) ? reason : nil
      }
      program.folder.lastOperation = start + Int.random(in: 1...60, using: &random)
      for _ in 0..<Int.random(in: 1...12, using: &random) where !program.folder.hasCrashed {
        try? program.perform(FolderWorkload.Operation.allCases.randomElement(using: &random)!)
      }
      let isKilled = Bool.random(using: &random)
      program.start(from: isKilled ? program.folder.afterKill() : program.folder.afterCrash(choosing: &random))
      if let complaint = program.complaint { return complaint }
    }
    return nil
  }
}
