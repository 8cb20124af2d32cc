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

  /// <https://developer.apple.com/documentation/swiftui/view/task(id:priority:_:)>
  public nonisolated func task<T: Equatable>(
    id value: T,
    priority: TaskPriority = .userInitiated,
    @_inheritActorContext _ action: @escaping @Sendable () async -> Void
  ) -> some View {
    self
  }
}

/// <https://developer.apple.com/documentation/swiftui/searchfieldplacement>
public struct SearchFieldPlacement: Sendable {
  /// <https://developer.apple.com/documentation/swiftui/searchfieldplacement/automatic>
  public static let automatic = SearchFieldPlacement()
}
