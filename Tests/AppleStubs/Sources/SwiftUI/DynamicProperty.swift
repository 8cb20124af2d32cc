/// A property of a view that SwiftUI updates before the view's body.
///
/// - <https://developer.apple.com/documentation/swiftui/dynamicproperty>
public protocol DynamicProperty {}
