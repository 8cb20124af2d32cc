import Arbor
import ArborDevTools
import ArborTesting
import TestSupport

/// Random runs of the shop, and the test files made from them.
enum Runs {
  /// The seeds of the runs in each file: 60 of the seeds from 0 to 99. Every sequence of three words or signs in the
  /// tests of all 100 seeds also occurs in theirs.
  private static let seeds = [
    [0, 1, 2, 5, 6, 8, 10, 13, 14, 15, 17, 18, 19],
    [21, 22, 23, 24, 25, 26, 28, 29, 30, 33, 34, 35, 38, 39],
    [40, 41, 43, 48, 49, 50, 53, 54, 55, 56, 58, 59, 61],
    [62, 66, 67, 68, 69, 70, 78, 79, 80],
    [82, 83, 84, 85, 86, 87, 89, 90, 91, 97, 98],
  ]

  static var files: Range<Int> { seeds.indices }

  /// The text of a file.
  static func file(_ number: Int) throws -> String {
    let functions = try seeds[number].map { seed in
      var random = SplitMix64(seed: UInt64(seed))
      var source = TestSource<Shop, ShopAction>(name: "run\(seed)", initialState: random.once(in: 6) ? busy : Shop())
      source.makeStore = "TestStore(initialState: \(source.initialState == Shop() ? "Shop()" : "…"), feature: shop)"
      source.steps = steps(from: source.initialState, using: &random)
      return try source.function()
    }
    return TestFile(suite: suite(number)).text(of: functions)
  }

  /// The name of a file's suite.
  static func suite(_ number: Int) -> String { "Runs\(number)Tests" }

  /// A shop in which many things can happen.
  private static let busy = Shop(
    visitor: Visitor(name: Shop.texts[2], age: 7),
    rows: Shop.texts[6...7].enumerated().map { Row(id: $0.offset, title: $0.element, note: "") },
    stock: ["Rake": 1],
    prices: [.none: 0.1],
    total: 0.75
  )

  /// The steps of a shop that receives some random actions.
  private static func steps(
    from state: Shop,
    using random: inout SplitMix64
  ) -> [TestSource<Shop, ShopAction>.Step] {
    let (executor, monitor) = (ManualExecutor(), RunMonitor<Shop, ShopAction>())
    let factory = StoreFactory(
      initialState: state,
      feature: shop,
      settings: TreeSettings(monitors: [monitor], executor: executor)
    )
    for _ in 0..<Int.random(in: 2...4, using: &random) {
      let actions = (0..<(random.once(in: 6) ? 2 : 1)).map { _ in ShopAction.random(using: &random) }
      factory.dispatch(batch: actions)
      executor.run()
    }
    return monitor.steps
  }
}
