/// <https://developer.apple.com/documentation/swiftui/button>
public nonisolated struct Button<Label: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/button/init(action:label:)>
  @preconcurrency
  public init(action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label) {}

  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

extension Button where Label == Text {
  /// <https://developer.apple.com/documentation/swiftui/button/init(_:action:)-1asy>
  @preconcurrency
  public nonisolated init(_ titleKey: LocalizedStringKey, action: @escaping @MainActor () -> Void) {}
}

extension Button where Label == SwiftUI.Label<Text, Image> {
  /// <https://developer.apple.com/documentation/swiftui/button/init(_:systemimage:action:)>
  public nonisolated init(_ titleKey: LocalizedStringKey, systemImage: String, action: @escaping @MainActor () -> Void)
  {}
}

/// <https://developer.apple.com/documentation/swiftui/primitivebuttonstyle>
@MainActor
@preconcurrency
public protocol PrimitiveButtonStyle {}

/// <https://developer.apple.com/documentation/swiftui/borderlessbuttonstyle>
public nonisolated struct BorderlessButtonStyle: PrimitiveButtonStyle {
  /// <https://developer.apple.com/documentation/swiftui/borderlessbuttonstyle/init()>
  public init() {}
}

extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
  /// <https://developer.apple.com/documentation/swiftui/primitivebuttonstyle/borderless>
  public static var borderless: BorderlessButtonStyle { BorderlessButtonStyle() }
}

extension View {
  /// <https://developer.apple.com/documentation/swiftui/view/buttonstyle(_:)-66fbx>
  public nonisolated func buttonStyle<S: PrimitiveButtonStyle>(_ style: S) -> some View { self }
}
