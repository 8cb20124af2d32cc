/// The settings of a tree, such as the name of its root.
///
/// ```swift
/// let settings = TreeSettings(name: "App")
/// let factory = StoreFactory(initialState: AppState(), feature: app, settings: settings)
/// ```
///
/// - The product `Arbor` adds a clock, monitors, and a function that receives the errors of effects.
/// - You can use the same settings for several trees if each of their monitors allows it. A `Recorder` records only the
///   first tree, and a saving monitor stops the program if you give it to a second tree.
public struct TreeSettings: Sendable {
  @usableFromInline package let name: String?
  @usableFromInline package let clock: any Clock<Duration>
  @usableFromInline
  let onEffectError: (@Sendable ((any Hashable & Sendable)?, (any Sendable)?, any Error) -> Void)?
  @usableFromInline package let executor: any TreeExecutor

  /// The maker of the tree's listener; nil if the tree has none.
  @usableFromInline package let listenerMaker: (any ListenerMaker)?

  /// Makes the settings of a tree.
  ///
  /// - Parameter name: The name of the root in reports. If nil, reports use the name of its state's type.
  @inlinable
  public init(name: String? = nil) {
    self.init(name: name, clock: ContinuousClock(), listenerMaker: nil, onEffectError: nil, executor: QueueExecutor())
  }

  @usableFromInline
  package init(
    name: String?,
    clock: any Clock<Duration>,
    listenerMaker: (any ListenerMaker)?,
    onEffectError: (
      @Sendable (_ key: (any Hashable & Sendable)?, _ action: (any Sendable)?, _ error: any Error) -> Void
    )?,
    executor: any TreeExecutor
  ) {
    self.name = name
    self.clock = clock
    self.listenerMaker = listenerMaker
    self.onEffectError = onEffectError
    self.executor = executor
  }
}
