// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

// The names from Foundation, Combine, SwiftUI, UIKit, Observation and the standard library that a program with stores
// is likely to use. A public name of Arbor that is also one of these would make every use of it ambiguous.

// Foundation
public struct Selector {}
public struct Operation {}
public struct Notification {}
public struct NotificationCenter {}
public struct Predicate {}
public struct Process {}
public struct Progress {}
public struct Timer {}
public struct Thread {}
public struct Bundle {}
public struct Measurement {}
public struct Unit {}
public struct URLSession {}
public struct Cache {}

// Combine
public struct Subscription {}
public struct Subscriptions {}
public struct Subscriber {}
public struct Publisher {}
public struct Publishers {}
public struct Published {}
public struct Subject {}
public struct Future {}
public struct Just {}
public struct Empty {}
public struct Fail {}
public struct Record {}
public struct Deferred {}
public struct Cancellable {}
public struct AnyCancellable {}
public struct AnyPublisher {}
public struct Scheduler {}
public struct ImmediateScheduler {}
public struct PassthroughSubject {}
public struct CurrentValueSubject {}
public struct ObservableObject {}
public struct Demand {}

// SwiftUI and UIKit
public struct State {}
public struct Binding {}
public struct Bindable {}
public struct StateObject {}
public struct ObservedObject {}
public struct Environment {}
public struct EnvironmentObject {}
public struct EnvironmentValues {}
public struct Edge {}
public struct View {}
public struct Scene {}
public struct App {}
public struct Text {}
public struct List {}
public struct Section {}
public struct Group {}
public struct Transaction {}
public struct Animation {}
public struct Path {}
public struct Color {}
public struct Image {}
public struct Button {}
public struct Form {}
public struct Label {}
public struct Link {}
public struct Menu {}
public struct Table {}
public struct Layout {}
public struct Namespace {}
public struct FocusState {}
public struct SceneStorage {}
public struct AppStorage {}
public struct Preview {}
public struct Window {}
public struct Alert {}
public struct UIAction {}

// Observation, RealityKit and the standard library
public struct Observable {}
public struct ObservationRegistrar {}
public struct ObservationTracking {}
public struct Observations {}
public struct Entity {}
public struct Component {}
public struct Dispatch {}
public struct Identifier {}
