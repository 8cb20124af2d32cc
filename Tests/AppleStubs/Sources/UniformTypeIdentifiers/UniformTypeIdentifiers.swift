/// <https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct>
public struct UTType: Hashable, Sendable {
  /// <https://developer.apple.com/documentation/uniformtypeidentifiers/uttype-swift.struct/plaintext>
  public static var plainText: UTType { UTType() }
}
