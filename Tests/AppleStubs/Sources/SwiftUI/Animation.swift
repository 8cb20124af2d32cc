/// <https://developer.apple.com/documentation/swiftui/animation>
public struct Animation: Equatable, Sendable {
  /// <https://developer.apple.com/documentation/swiftui/animation/default>
  public static let `default` = Animation()

  /// The animation of the running `withAnimation`. Only in this stub.
  @MainActor public fileprivate(set) static var running: Animation?
}

/// <https://developer.apple.com/documentation/swiftui/withanimation(_:_:)>
@MainActor
public func withAnimation<Result>(_ animation: Animation? = .default, _ body: () throws -> Result) rethrows -> Result {
  let outer = Animation.running
  Animation.running = animation
  defer { Animation.running = outer }
  return try body()
}
