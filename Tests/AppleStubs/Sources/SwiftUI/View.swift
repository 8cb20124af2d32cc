/// A part of a user interface.
///
/// - <https://developer.apple.com/documentation/swiftui/view>
@MainActor
@preconcurrency
public protocol View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  associatedtype Body: View

  /// <https://developer.apple.com/documentation/swiftui/view/body-8kl5o>
  @ViewBuilder
  @MainActor
  @preconcurrency
  var body: Body { get }
}

extension Never: View {
  /// <https://developer.apple.com/documentation/swift/never>
  public var body: Never { fatalError("there is no such view") }
}

extension View where Body == Never {
  /// The body of a view that SwiftUI draws itself, which must not be read.
  public var body: Never { fatalError("\(Self.self) has no body") }
}

extension Optional: View where Wrapped: View {
  /// <https://developer.apple.com/documentation/swift/optional>
  public typealias Body = Never
}

/// <https://developer.apple.com/documentation/swiftui/emptyview>
public nonisolated struct EmptyView: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never

  /// <https://developer.apple.com/documentation/swiftui/emptyview/init()>
  public init() {}
}
