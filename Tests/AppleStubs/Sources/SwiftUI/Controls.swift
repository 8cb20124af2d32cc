/// <https://developer.apple.com/documentation/swiftui/toggle>
public nonisolated struct Toggle<Label: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

extension Toggle where Label == Text {
  /// <https://developer.apple.com/documentation/swiftui/toggle>
  @_disfavoredOverload
  public nonisolated init<S: StringProtocol>(_ title: S, isOn: Binding<Bool>) {}
}

/// <https://developer.apple.com/documentation/swiftui/textfield>
public nonisolated struct TextField<Label: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

extension TextField where Label == Text {
  /// <https://developer.apple.com/documentation/swiftui/textfield>
  public nonisolated init(_ titleKey: LocalizedStringKey, text: Binding<String>) {}
}

/// <https://developer.apple.com/documentation/swiftui/progressview>
public nonisolated struct ProgressView<Label: View, CurrentValueLabel: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

extension ProgressView where CurrentValueLabel == EmptyView {
  /// <https://developer.apple.com/documentation/swiftui/progressview/init(_:)>
  public nonisolated init(_ titleKey: LocalizedStringKey) where Label == Text {}
}

/// <https://developer.apple.com/documentation/swiftui/picker>
public nonisolated struct Picker<Label: View, SelectionValue: Hashable, Content: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

extension Picker where Label == Text {
  /// <https://developer.apple.com/documentation/swiftui/picker/init(_:selection:content:)-6lwfn>
  public nonisolated init(
    _ titleKey: LocalizedStringKey,
    selection: Binding<SelectionValue>,
    @ViewBuilder content: () -> Content
  ) {
    _ = content()
  }
}

extension View {
  /// <https://developer.apple.com/documentation/swiftui/view/tag(_:includeoptional:)>
  public nonisolated func tag<V: Hashable>(_ tag: V, includeOptional: Bool = true) -> some View { self }
}
