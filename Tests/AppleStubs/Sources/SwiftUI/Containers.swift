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

  /// <https://developer.apple.com/documentation/swiftui/navigationstack/init(path:root:)-63x0h>
  public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
  where Data: MutableCollection & RandomAccessCollection & RangeReplaceableCollection, Data.Element: Hashable {
    _ = root()
  }
}

/// <https://developer.apple.com/documentation/swiftui/navigationpath>
public struct NavigationPath {}

extension View {
  /// <https://developer.apple.com/documentation/swiftui/view/navigationdestination(for:destination:)>
  public nonisolated func navigationDestination<Data: Hashable, Content: View>(
    for data: Data.Type,
    @ViewBuilder destination: @escaping (Data) -> Content
  ) -> some View { self }

  /// <https://developer.apple.com/documentation/swiftui/view/navigationtitle(_:)-avgj>
  public nonisolated func navigationTitle(_ titleKey: LocalizedStringKey) -> some View { self }
}
