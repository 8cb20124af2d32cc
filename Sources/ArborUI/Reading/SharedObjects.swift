internal import Arbor

/// Objects that are created once per name, and shared for as long as a caller keeps them.
@MainActor
final class SharedObjects<Name: Hashable> {
  private struct Entry {
    weak let object: AnyObject?
  }

  private var entries: [Name: Entry] = [:]

  /// The number of entries at which the entries of released objects are removed.
  private var limit = 16

  nonisolated init() {}

  /// The object with a name; nil if no caller keeps one.
  func existing<Object: AnyObject>(_ name: Name, as _: Object.Type = Object.self) -> Object? {
    entries[name]?.object as? Object
  }

  /// The object with a name, which is created if no caller keeps one; a new object each time for nil.
  func object<Object: AnyObject>(_ name: Name?, _ make: () -> Object) -> Object {
    guard let name else { return make() }
    if let object = existing(name, as: Object.self) { return object }
    let object = make()
    entries[name] = Entry(object: object)
    if entries.count >= limit {
      entries = entries.filter { $0.value.object != nil }
      limit = max(16, 2 * entries.count)
    }
    return object
  }
}

/// An object made from a screen's store, such as a scope or a row.
@MainActor
protocol TrackedObject: AnyObject {
  /// The objects that keep this one while it is tracked.
  var keeper: TrackedObjects? { get set }

  /// An object that lives as long as this one.
  var kept: AnyObject? { get set }

  /// `true` if a reader waits for a change of this object.
  var isTracked: Bool { get }
}

/// The objects made from a screen's store that readers wait for.
///
/// - A view that reads an object in its body, as in `rows[id]?.title`, does not keep it. Without this class, the object
///   would be gone at the end of the body, and its reader would never be notified.
/// - An observation that ends, or runs again, releases the objects that it has read and no longer tracks; see
///   ``TrackedReads``.
/// - The end of any other tracking is not reported. An object that is no longer tracked is released by the next
///   delivery to it, or when there are twice as many objects. It is also released after four times as many deliveries
///   to others as there are objects here: on average, a delivery checks a quarter of an object.
@MainActor
final class TrackedObjects {
  private var objects: [ObjectIdentifier: any TrackedObject] = [:]

  /// The number of objects at which untracked objects are released.
  private var limit = 16

  /// The number of deliveries since untracked objects were last released.
  private var deliveries = 0

  nonisolated init() {}

  /// Keeps an object for as long as it is tracked.
  func keep(_ object: any TrackedObject) {
    TrackedReads.current?.add(object, keptBy: self)
    guard objects.updateValue(object, forKey: ObjectIdentifier(object)) == nil, objects.count >= limit else { return }
    releaseUntracked()
    limit = max(16, 2 * objects.count)
  }

  /// Notices a delivery to an object, and releases the object if no reader tracks it.
  func noticeDelivery(to object: any TrackedObject) {
    let released = object.isTracked ? nil : objects.removeValue(forKey: ObjectIdentifier(object))
    withExtendedLifetime(released) {}
    deliveries += 1
    if deliveries > max(64, 4 * objects.count) { releaseUntracked() }
  }

  /// Releases an object, given its id, if no reader tracks it.
  fileprivate func releaseIfUntracked(_ id: ObjectIdentifier) {
    guard objects[id]?.isTracked == false else { return }
    // Not during the write to the variable: a release may run user code, which may read an object.
    let released = objects.removeValue(forKey: id)
    withExtendedLifetime(released) {}
  }

  private func releaseUntracked() {
    deliveries = 0
    let before = objects
    objects = objects.filter { $0.value.isTracked }
    // Not during the write to the variable: a release may run user code, which may read an object.
    withExtendedLifetime(before) {}
  }
}

/// The objects that one function has read and tracks.
@MainActor
final class TrackedReads {
  private struct Keeper {
    weak let objects: TrackedObjects?
  }

  /// The reads of the function that is running; nil if no such function runs.
  fileprivate static var current: TrackedReads?

  /// The moment that the function has read; nil if it has only read the present.
  private var moment: ShownMoment?

  /// The keepers of the objects, by the ids of the objects.
  private var keepers: [ObjectIdentifier: Keeper] = [:]

  nonisolated init() {}

  fileprivate func add(_ object: any TrackedObject, keptBy keeper: TrackedObjects) {
    keepers[ObjectIdentifier(object)] = Keeper(objects: keeper)
  }

  /// Records that the running function has read a moment; does nothing for the present, which is nil.
  static func note(_ moment: ShownMoment?) {
    if let moment { current?.moment = moment }
  }

  /// Calls a function that reacts to the reads. If they show another moment, the actions it dispatches are dropped.
  func react(_ body: () -> Void) {
    ShownMoment.react(to: moment, body)
  }

  /// Calls a function and starts to track its reads, and releases objects of the previous call that no reader tracks
  /// now.
  ///
  /// - Parameter track: Calls the function, and returns after its reads are tracked.
  func replace<Value>(by track: () -> Value) -> Value {
    let before = keepers
    (keepers, moment) = ([:], nil)
    let outer = TrackedReads.current
    TrackedReads.current = self
    let value = track()
    TrackedReads.current = outer
    // An enclosing function tracks the same objects.
    outer?.keepers.merge(keepers) { first, _ in first }
    if let moment { outer?.moment = moment }
    TrackedReads.release(before)
    return value
  }

  /// Releases the objects that no reader tracks now.
  func end() {
    let before = keepers
    keepers = [:]
    TrackedReads.release(before)
  }

  private static func release(_ keepers: [ObjectIdentifier: Keeper]) {
    for (id, keeper) in keepers { keeper.objects?.releaseIfUntracked(id) }
  }
}
