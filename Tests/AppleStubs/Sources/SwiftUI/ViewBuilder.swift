/// Combines several views into one.
///
/// - <https://developer.apple.com/documentation/swiftui/viewbuilder>
@resultBuilder
public struct ViewBuilder {
  /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock()>
  public static func buildBlock() -> EmptyView { EmptyView() }

  /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:)>
  public static func buildBlock<Content: View>(_ content: Content) -> Content { content }

  /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildblock(_:...)>
  public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<(repeat each Content)>
  {
    TupleView((repeat each content))
  }

  /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildif(_:)>
  public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }

  /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(first:)>
  public static func buildEither<TrueContent: View, FalseContent: View>(
    first content: TrueContent
  ) -> _ConditionalContent<TrueContent, FalseContent> {
    _ConditionalContent()
  }

  /// <https://developer.apple.com/documentation/swiftui/viewbuilder/buildeither(second:)>
  public static func buildEither<TrueContent: View, FalseContent: View>(
    second content: FalseContent
  ) -> _ConditionalContent<TrueContent, FalseContent> {
    _ConditionalContent()
  }
}

/// <https://developer.apple.com/documentation/swiftui/_conditionalcontent>
public nonisolated struct _ConditionalContent<TrueContent: View, FalseContent: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

/// <https://developer.apple.com/documentation/swiftui/tupleview>
public nonisolated struct TupleView<T>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never

  /// <https://developer.apple.com/documentation/swiftui/tupleview/value>
  public var value: T

  /// <https://developer.apple.com/documentation/swiftui/tupleview/init(_:)>
  public init(_ value: T) {
    self.value = value
  }
}
