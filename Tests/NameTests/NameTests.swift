import Arbor
import ArborDevTools
import ArborEntities
import ArborPersistence
import ArborRequests
import ArborTesting
import ArborUI
import FamiliarNames
import Testing

/// Uses every public name of Arbor's modules next to the familiar names of others, without naming modules. A name in
/// both does not compile.
@Suite("Names")
struct NameTests {
  private struct Row: Identifiable, Sendable {
    let id: Int
  }

  // Use them as types, not as expressions: if two types have the same name, an expression silently takes one.
  private typealias Arbors = (
    Store<Int, Int>, StoreFactory<Int, Int>, StoreObject<Int, Int>, Observer<Int>, ObserverStatus, Reducer<Int, Int>,
    Changes<Int>, Equating<Int>, StoreSubscription, StoreDelivery, MainDelivery, any StateSource<Int>,
    AnyStateSource<Int>,
    StateSequence<Int>, StateBuffering, Derived<Int>, DerivedBinding<Int>, ObservableStore<Int, Int>,
    StateSelector<Int, Int>, Interceptor<Int, Int>, Effect<Int>, TaskMode, TaskPlace<Int>,
    StoreTask<Int>, JobState, EffectBackoff,
    StateEffect<Int, Int>, ActivitySequence<Int>, Stamped<Int>, Mutation<Int>, CommitStore<Int>,
    any StoreOwner<Int, Int>, any StoreDriver<Int, Int>, any StoreMonitor, StoreEvent, MonitoredStore, MonitoredTask,
    ActionOutcome, ActionTimes,
    StateTransition, MonitoredAction.Type, ActionRecord.Type, ManualExecutor, TestClock,
    ImmediateClock, TestStore<Int, Int>, ChildState<Int, Int>, Exhaustivity, RecordedAction<Int>,
    LogMonitor, LogFormat, LogDetail, LogRecord, LogRecordKind, LoggedStore, LoggedOutcome, LoggedTimes, LoggedChange,
    EntityTable<Row>, EntityError<Row>, EntityDifference<Int>, EntityList<Row>, ChangeStamp, TypedID<Row, Int>,
    SortedIndex<Row, Int>, CustomOrder<Int>, GroupedIndex<Row, Int>, UniqueIndex<Row, Int>, ManualOrder<Row>,
    any EntityIndex<Row>, any IndexedEntity, IndexMaintenance<Row>, KeptEntity<Row>,
    MetricsMonitor, MetricsReport, ActionMetrics, OutcomeCounts, DurationHistogram,
    any SwiftSourceConvertible, SwiftSourceError,
    Recorder<Int, Int>, Recording<Int, Int>, RecordingError, RecordedTask, Redaction<Int, Int>, TraceMonitor,
    RecordingFileError, ImportVerdict<Int>, FileAction, RecordedValue, RecordedObject,
    StoreRows<[Row], Int>, any ScreenStore<Int, Int>, ListUpdate<Int>, any RowList<Row>, RowChanges<Row>,
    Storage, Persisted<Int>, Migration, Journal<Int, Int>, SavingMonitor<Int>, LoadOptions, LoadReport, JournalReport,
    Durability, StorageError, FileError, FolderFinding, StoredValueError, JournalProgress, StorageContents,
    StoredForm, StoredPath, any StoredDefaults, any StorageCoding, JSONCoding, BinaryCoding,
    Request<Int, Int>, Change<Int, Int>, Requests, RequestAction, RequestEntry, RequestFailure, RequestID, RequestTag,
    RequestState<Int>, RequestValue, RequestPatch, RequestAnswer<Int>, any RequestDefinition, ReceivedAnswer,
    ReceivedRecord, Pages<Int, Int>, PageDirection, PendingChange, NoValue, RequestMetrics<Int, Int>, RequestReport,
    FetchDurations
  )

  private typealias Familiar = (
    Selector, Operation, Notification, NotificationCenter, Predicate, Process, Progress, Timer, Thread, Bundle,
    Measurement, Unit, URLSession, Cache, Subscription, Subscriptions, Subscriber, Publisher, Publishers, Published,
    Subject, Future, Just, Empty, Fail, Record, Deferred, Cancellable, AnyCancellable, AnyPublisher, Scheduler,
    ImmediateScheduler, PassthroughSubject, CurrentValueSubject, ObservableObject, Demand, State, Binding, Bindable,
    StateObject, ObservedObject, Environment, EnvironmentObject, EnvironmentValues, Edge, View, Scene, App, Text,
    List, Section, Group, Transaction, Animation, Path, Color, Image, Button, Form, Label, Link, Menu, Table, Layout,
    Namespace, FocusState, SceneStorage, AppStorage, Preview, Window, Alert, UIAction, Observable,
    ObservationRegistrar, ObservationTracking, Observations, Entity, Component, Dispatch, Identifier
  )

  @Test func `Arbor's names do not collide with any that programs import next to it`() {
    let reducer: Reducer<Int, Int> = combine({ $0 += $1 })
    let executor = ManualExecutor()
    let factory: StoreFactory<Int, Int> = StoreFactory(
      initialState: 1, settings: TreeSettings(executor: executor), reducer: reducer)
    let store: Store<Int, Int> = factory.rootStore()
    let object: StoreObject<(Int, Int), Int> = factory.childStore(initialState: 1, reducer: reducer)
    let observer = Observer<Int> { _ in ObserverStatus.active }
    store.subscribe(observer: observer)
    object.dispatch(1)
    #expect(store.state == 2)
  }

  @Test func `the familiar names keep their meaning`() {
    let names = String(reflecting: Familiar.self).dropFirst().dropLast().split(separator: ", ")
    #expect(names.count > 1)
    #expect(names.allSatisfy { $0.hasPrefix("FamiliarNames.") })
  }
}
