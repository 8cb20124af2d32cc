/// <https://developer.apple.com/documentation/swiftui/previewprovider>
@MainActor
@preconcurrency
public protocol PreviewProvider {
  /// <https://developer.apple.com/documentation/swiftui/previewprovider/previews-swift.associatedtype>
  associatedtype Previews: View

  /// <https://developer.apple.com/documentation/swiftui/previewprovider/previews-swift.type.property>
  @ViewBuilder
  @MainActor
  @preconcurrency
  static var previews: Previews { get }
}
