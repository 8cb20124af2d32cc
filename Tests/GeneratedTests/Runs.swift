import Arbor
import ArborDevTools
import ArborTesting
import TestSupport

/// Random runs of the shop, and the files of tests that are made of them.
enum Runs {
  static let files = 0..<10
  static let perFile = 10

  /// The text of a file.
  static func file(_ number: Int) throws -> String {
    let seeds = (number * perFile)..<((number + 1) * perFile)
    let functions = try seeds.map { seed in
      let run = run(seed: UInt64(seed))
      var source = TestSource(name: "run\(seed)", initialState: Shop(), steps: run)
      source.makeStore = "TestStore(initialState: Shop(), feature: shop)"
      return try source.function()
    }
    return TestFile(suite: suite(number)).text(of: functions)
  }

  /// The name of a file's suite.
  static func suite(_ number: Int) -> String { "Runs\(number)Tests" }

  /// What a shop does when it is sent some random actions.
  private static func run(seed: UInt64) -> [TestSource<Shop, ShopAction>.Step] {
    let (executor, monitor) = (ManualExecutor(), RunMonitor())
    let factory = StoreFactory(initialState: Shop(), feature: shop, monitors: [monitor], executor: executor)
    var random = SplitMix64(seed: seed)
    for _ in 0..<Int.random(in: 4...8, using: &random) {
      factory.dispatch(ShopAction.random(using: &random))
      executor.run()
    }
    return monitor.steps
  }
}
