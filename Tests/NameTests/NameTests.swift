import Arbor
import ArborTesting
import FamiliarNames
import Testing

/// Uses every public name of Arbor's modules beside the familiar names of others, all without saying from which module:
/// a name that stands in both does not compile.
@Suite("Names")
struct NameTests {
  @Test func `Arbor's names collide with none that programs import beside it`() {
    let reducer: Reducer<Int, Int> = combine({ $0 += $1 })
    let executor = ManualExecutor()
    let factory: StoreFactory<Int, Int> = StoreFactory(initialState: 1, executor: executor, reducer: reducer)
    let store: Store<Int, Int> = factory.rootStore()
    let object: StoreObject<(Int, Int), Int> = factory.childStore(initialState: 1, reducer: reducer)
    let observer = Observer<Int> { _ in ObserverStatus.active }
    store.subscribe(observer: observer)
    object.dispatch(1)
    #expect(store.state == 2)
  }

  @Test func `the familiar names keep their meaning`() {
    let names: [Any.Type] = [
      Selector.self, Operation.self, Notification.self, NotificationCenter.self, Predicate.self, Process.self,
      Progress.self, Timer.self,
      Thread.self,
      Bundle.self, Measurement.self, Unit.self, URLSession.self, Cache.self, Subscription.self, Subscriptions.self,
      Subscriber.self,
      Publisher.self,
      Publishers.self, Published.self, Subject.self, Future.self, Just.self, Empty.self, Fail.self, Record.self,
      Deferred.self, Cancellable.self,
      AnyCancellable.self, AnyPublisher.self, Scheduler.self, ImmediateScheduler.self, PassthroughSubject.self,
      CurrentValueSubject.self,
      ObservableObject.self, Demand.self, State.self, Binding.self, Bindable.self, StateObject.self,
      ObservedObject.self, Environment.self,
      EnvironmentObject.self, EnvironmentValues.self, Edge.self, View.self, Scene.self, App.self, Text.self, List.self,
      Section.self, Group.self,
      Transaction.self, Animation.self, Path.self, Color.self, Image.self, Button.self, Form.self, Label.self,
      Link.self, Menu.self, Table.self,
      Layout.self,
      Namespace.self, FocusState.self, SceneStorage.self, AppStorage.self, Preview.self, Window.self, Alert.self,
      UIAction.self, Observable.self,
      ObservationRegistrar.self, ObservationTracking.self, Observations.self, Entity.self, Component.self,
      Dispatch.self,
      Identifier.self,
    ]
    #expect(names.allSatisfy { String(reflecting: $0).hasPrefix("FamiliarNames.") })
  }
}
