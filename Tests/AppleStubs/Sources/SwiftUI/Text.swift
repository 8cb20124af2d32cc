/// <https://developer.apple.com/documentation/swiftui/localizedstringkey>
public struct LocalizedStringKey: Equatable, ExpressibleByStringInterpolation {
  /// <https://developer.apple.com/documentation/swiftui/localizedstringkey/init(stringliteral:)>
  public init(stringLiteral value: String) {}
}

/// <https://developer.apple.com/documentation/swiftui/text>
public nonisolated struct Text: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never

  /// <https://developer.apple.com/documentation/swiftui/text/init(_:)-9d1g4>
  @_disfavoredOverload
  public init<S: StringProtocol>(_ content: S) {}

  /// <https://developer.apple.com/documentation/swiftui/text/init(_:tablename:bundle:comment:)>
  public init(
    _ key: LocalizedStringKey,
    tableName: String? = nil,
    bundle: Bundle? = nil,
    comment: StaticString? = nil
  ) {}
}

/// <https://developer.apple.com/documentation/swiftui/image>
public nonisolated struct Image: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

/// <https://developer.apple.com/documentation/swiftui/label>
public nonisolated struct Label<Title: View, Icon: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}
