/// An object of the engine that shows a state, without its types.
@MainActor
protocol SimulatedScreen: AnyObject {
  /// The object, which may be shared.
  var object: AnyObject { get }

  /// The number of the root of the tree whose state is shown.
  var tree: Int { get }

  func read(_ part: ScreenPart) -> Int

  /// Reads parts, and receives their values when the first of them is about to change.
  func track(_ parts: [ScreenPart], _ onChange: @escaping @MainActor (UInt64) -> Void)
  func send(_ action: Int)
  func write(_ value: Int, to part: ScreenPart, _ action: Int)

  func makeScope(_ number: Int) -> (any SimulatedScreen)?
  func makeRows() -> (any SimulatedScreen)?
  func makeRow(_ id: Int) -> (any SimulatedScreen)?
}
