/// <https://developer.apple.com/documentation/swiftui/toolbarcontent>
@MainActor
@preconcurrency
public protocol ToolbarContent {}

/// <https://developer.apple.com/documentation/swiftui/toolbarcontentbuilder>
@resultBuilder
public struct ToolbarContentBuilder {
  /// <https://developer.apple.com/documentation/swiftui/toolbarcontentbuilder/buildblock(_:)>
  public static func buildBlock<Content: ToolbarContent>(_ content: Content) -> some ToolbarContent { content }

  /// <https://developer.apple.com/documentation/swiftui/toolbarcontentbuilder/buildblock(_:_:)>
  public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent>(_ c0: C0, _ c1: C1) -> some ToolbarContent {
    c0
  }

  /// <https://developer.apple.com/documentation/swiftui/toolbarcontentbuilder/buildblock(_:_:_:)>
  public static func buildBlock<C0: ToolbarContent, C1: ToolbarContent, C2: ToolbarContent>(
    _ c0: C0,
    _ c1: C1,
    _ c2: C2
  ) -> some ToolbarContent {
    c0
  }
}

/// <https://developer.apple.com/documentation/swiftui/toolbaritem>
public nonisolated struct ToolbarItem<ID, Content: View>: ToolbarContent {}

extension ToolbarItem where ID == () {
  /// <https://developer.apple.com/documentation/swiftui/toolbaritem/init(placement:content:)>
  public nonisolated init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
    _ = content()
  }
}

/// <https://developer.apple.com/documentation/swiftui/toolbaritemgroup>
public nonisolated struct ToolbarItemGroup<Content: View>: ToolbarContent {
  /// <https://developer.apple.com/documentation/swiftui/toolbaritemgroup/init(placement:content:)>
  public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
    _ = content()
  }
}

/// <https://developer.apple.com/documentation/swiftui/toolbaritemplacement>
public struct ToolbarItemPlacement: Sendable {
  /// <https://developer.apple.com/documentation/swiftui/toolbaritemplacement/automatic>
  public static let automatic = ToolbarItemPlacement()

  /// <https://developer.apple.com/documentation/swiftui/toolbaritemplacement/primaryaction>
  public static let primaryAction = ToolbarItemPlacement()

  /// <https://developer.apple.com/documentation/swiftui/toolbaritemplacement/secondaryaction>
  public static let secondaryAction = ToolbarItemPlacement()

  /// <https://developer.apple.com/documentation/swiftui/toolbaritemplacement/confirmationaction>
  public static let confirmationAction = ToolbarItemPlacement()

  /// <https://developer.apple.com/documentation/swiftui/toolbaritemplacement/cancellationaction>
  public static let cancellationAction = ToolbarItemPlacement()
}

extension View {
  /// <https://developer.apple.com/documentation/swiftui/view/toolbar(content:)-5w0tj>
  public nonisolated func toolbar<Content: ToolbarContent>(
    @ToolbarContentBuilder content: () -> Content
  ) -> some View {
    _ = content()
    return self
  }
}
