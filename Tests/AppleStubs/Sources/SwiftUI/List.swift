/// <https://developer.apple.com/documentation/swiftui/list>
public nonisolated struct List<SelectionValue: Hashable, Content: View>: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never
}

extension List where SelectionValue == Never {
  /// <https://developer.apple.com/documentation/swiftui/list/init(content:)>
  public nonisolated init(@ViewBuilder content: () -> Content) {
    _ = content()
  }
}

/// <https://developer.apple.com/documentation/swiftui/foreach>
public nonisolated struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
  /// <https://developer.apple.com/documentation/swiftui/foreach/data>
  public var data: Data

  /// <https://developer.apple.com/documentation/swiftui/foreach/content>
  public var content: (Data.Element) -> Content
}

extension ForEach: View where Content: View {
  /// <https://developer.apple.com/documentation/swiftui/view/body-swift.associatedtype>
  public typealias Body = Never

  /// <https://developer.apple.com/documentation/swiftui/foreach/init(_:id:content:)>
  public nonisolated init(
    _ data: Data,
    id: KeyPath<Data.Element, ID>,
    @ViewBuilder content: @escaping (Data.Element) -> Content
  ) {
    self.data = data
    self.content = content
  }
}

/// <https://developer.apple.com/documentation/swiftui/dynamicviewcontent>
public protocol DynamicViewContent<Data>: View {
  /// <https://developer.apple.com/documentation/swiftui/dynamicviewcontent/data-swift.associatedtype>
  associatedtype Data: Collection

  /// <https://developer.apple.com/documentation/swiftui/dynamicviewcontent/data-swift.property>
  var data: Data { get }
}

extension ForEach: DynamicViewContent where Content: View {}

extension DynamicViewContent {
  /// <https://developer.apple.com/documentation/swiftui/dynamicviewcontent/ondelete(perform:)>
  public nonisolated func onDelete(perform action: ((IndexSet) -> Void)?) -> some DynamicViewContent { self }

  /// <https://developer.apple.com/documentation/swiftui/dynamicviewcontent/onmove(perform:)>
  public nonisolated func onMove(perform action: ((IndexSet, Int) -> Void)?) -> some DynamicViewContent { self }
}
