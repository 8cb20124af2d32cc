extension View {
  /// <https://developer.apple.com/documentation/swiftui/view/disabled(_:)>
  public nonisolated func disabled(_ disabled: Bool) -> some View { self }

  /// <https://developer.apple.com/documentation/swiftui/view/searchable(text:placement:prompt:)-18a8f>
  public nonisolated func searchable(
    text: Binding<String>,
    placement: SearchFieldPlacement = .automatic,
    prompt: Text? = nil
  ) -> some View {
    self
  }
}

/// <https://developer.apple.com/documentation/swiftui/searchfieldplacement>
public struct SearchFieldPlacement: Sendable {
  /// <https://developer.apple.com/documentation/swiftui/searchfieldplacement/automatic>
  public static let automatic = SearchFieldPlacement()
}
