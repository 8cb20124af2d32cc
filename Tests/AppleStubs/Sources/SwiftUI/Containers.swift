/// <https://developer.apple.com/documentation/swiftui/hstack>
public nonisolated struct HStack<Content: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never

  /// <https://developer.apple.com/documentation/swiftui/hstack/init(alignment:spacing:content:)>
  public init(alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content) {
    _ = content()
  }
}

/// <https://developer.apple.com/documentation/swiftui/verticalalignment>
public struct VerticalAlignment: Equatable, Sendable {
  /// <https://developer.apple.com/documentation/swiftui/verticalalignment/center>
  public static let center = VerticalAlignment()
}

/// <https://developer.apple.com/documentation/swiftui/form>
public nonisolated struct Form<Content: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never

  /// <https://developer.apple.com/documentation/swiftui/form/init(content:)>
  public init(@ViewBuilder content: () -> Content) {
    _ = content()
  }
}

/// <https://developer.apple.com/documentation/swiftui/navigationstack>
public nonisolated struct NavigationStack<Data, Root: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never

  /// <https://developer.apple.com/documentation/swiftui/navigationstack/init(root:)>
  public init(@ViewBuilder root: () -> Root) where Data == NavigationPath {
    _ = root()
  }
}

/// <https://developer.apple.com/documentation/swiftui/navigationpath>
public struct NavigationPath {}

extension View {
  /// <https://developer.apple.com/documentation/swiftui/view/navigationtitle(_:)-avgj>
  public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }
}
