/// <https://developer.apple.com/documentation/swiftui/app>
@MainActor
@preconcurrency
public protocol App {
  /// <https://developer.apple.com/documentation/swiftui/app/body-swift.associatedtype>
  associatedtype Body: Scene

  /// <https://developer.apple.com/documentation/swiftui/app/body-swift.property>
  @SceneBuilder
  @MainActor
  @preconcurrency
  var body: Body { get }

  /// <https://developer.apple.com/documentation/swiftui/app/init()>
  @MainActor
  @preconcurrency
  init()
}

extension App {
  /// <https://developer.apple.com/documentation/swiftui/app/main()>
  @MainActor
  @preconcurrency
  public static func main() {}
}

/// <https://developer.apple.com/documentation/swiftui/scene>
@MainActor
@preconcurrency
public protocol Scene {
  /// <https://developer.apple.com/documentation/swiftui/scene/body-swift.associatedtype>
  associatedtype Body: Scene

  /// <https://developer.apple.com/documentation/swiftui/scene/body-swift.property>
  @SceneBuilder
  @MainActor
  @preconcurrency
  var body: Body { get }
}

extension Never: Scene {}

/// <https://developer.apple.com/documentation/swiftui/scenebuilder>
@resultBuilder
public struct SceneBuilder {
  /// <https://developer.apple.com/documentation/swiftui/scenebuilder/buildblock(_:)>
  public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content }
}

/// <https://developer.apple.com/documentation/swiftui/windowgroup>
public nonisolated struct WindowGroup<Content: View>: Scene {
  private let makeContent: () -> Content

  /// <https://developer.apple.com/documentation/swiftui/windowgroup/init(makecontent:)>
  public init(@ViewBuilder makeContent: @escaping () -> Content) {
    self.makeContent = makeContent
  }

  /// <https://developer.apple.com/documentation/swiftui/scene/body-swift.property>
  @MainActor
  public var body: Never { fatalError("a window group has no body") }

  /// The content of a window. Only in this stub.
  @MainActor
  public var content: Content { makeContent() }
}
