public import Arbor
internal import Dispatch
internal import Observation

/// Observes what a function reads, and applies it again each time when it has changed; as long as the returned
/// subscription is kept.
///
/// ```swift
/// subscription = observe { [store] in store.count } apply: { [label] count in label.text = "\(count)" }
/// ```
///
/// - Both are called on the main actor, the first time before this returns.
/// - It is applied when a part has changed that `track` has read, also where `track` makes the same value of it: read deep
///   parts by `store[\.address.city]`.
/// - Only what `track` reads of observable objects is followed: what `apply` reads, or the code that it calls, is not.
/// - Changes in deliveries of stores are applied once, when all deliveries that are made together have been made: after
///   a `dispatchAndWait` on the main actor it was applied. Any other change on the main actor is applied soon after it;
///   one that another thread makes may be missed.
/// - `apply` is never called inside of its own call: what it changes itself is applied when it has returned.
/// - Several observations that follow the same deliveries are applied in the order in which they were made.
/// - `apply` may dispatch, wait, and cancel the subscription.
/// - Capture the view or view controller weakly, or what is needed of it: the subscription keeps both functions.
/// - Canceling the subscription on the main actor releases the scopes and rows that only this observation has followed;
///   on another thread, soon after.
/// - Parameters:
///   - track: Reads what is followed, and makes a value of it.
///   - apply: Receives the value.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public func observe<Value>(
  track: @escaping @MainActor () -> Value,
  apply: @escaping @MainActor (_ value: Value) -> Void
) -> StoreSubscription {
  let observation = TrackedObservation(track, apply)
  observation.run()
  // The subscription alone keeps the observation.
  return StoreSubscription { observation.cancel() }
}

/// A function whose reading is followed.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
private final class TrackedObservation<Value>: Observable {
  private let track: @MainActor () -> Value
  private let apply: @MainActor (Value) -> Void
  private let place = MainDeliveryRound.newPlace()
  private let isCancelled = AtomicFlag(false)
  private let reads = TrackedReads()

  /// The registrar of ``end``, which is tracked together with all that `track` reads: its change ends the tracking.
  private nonisolated let registrar = ObservationRegistrar()
  private var isRunning = false
  private var isRequested = false

  init(_ track: @escaping @MainActor () -> Value, _ apply: @escaping @MainActor (Value) -> Void) {
    self.track = track
    self.apply = apply
  }

  /// Reads and applies, until nothing has changed meanwhile. Inside its own call, it is only requested once more.
  func run() {
    isRequested = true
    guard !isRunning else { return }
    isRunning = true
    while isRequested, !isCancelled.load() {
      isRequested = false
      let value = reads.replace { read() }
      // Reading may have cancelled it, before there was a tracking to end.
      if isCancelled.load() { endTracking() } else { reads.react { apply(value) } }
    }
    isRunning = false
  }

  /// Ends it. From any thread.
  nonisolated func cancel() {
    isCancelled.store(true)
    guard MainDeliveries.isOnMain else {
      registrar.withMutation(of: self, keyPath: \.end) {}
      return DispatchQueue.main.async { self.reads.end() }
    }
    MainActor.assumeIsolated { endTracking() }
  }

  /// Ends the tracking, and releases the objects that were kept for it alone.
  private func endTracking() {
    registrar.withMutation(of: self, keyPath: \.end) {}
    reads.end()
  }

  private nonisolated var end: Void { () }

  private func read() -> Value {
    withObservationTracking {
      registrar.access(self, keyPath: \.end)
      return track()
    } onChange: { [weak self] in
      guard self?.isCancelled.load() == false else { return }
      guard MainDeliveries.isOnMain else { return DispatchQueue.main.async { self?.run() } }
      MainActor.assumeIsolated { self?.runAfterChange() }
    }
  }

  /// Runs again once the change has been made that is about to be made.
  private func runAfterChange() {
    if MainDeliveryRound.follow(in: place, { [weak self] in self?.run() }) { return }
    DispatchQueue.main.async { [weak self] in self?.run() }
  }
}

/// Functions that are called when all deliveries to the main actor that are made together have been made.
@MainActor
private enum MainDeliveryRound {
  private static var followers = Followers()
  private static var lastPlace: UInt64 = 0

  /// A place for ``follow(in:_:)``, behind all that were made before.
  static func newPlace() -> UInt64 {
    // Before a function can follow: only the owner of a place has one called.
    MainDeliveries.whenMade = callFollowers
    lastPlace += 1
    return lastPlace
  }

  /// Has a function called when the deliveries that are being made have been made, in the order of the places.
  ///
  /// - Returns: `false` if none are being made, and the function is not called.
  static func follow(in place: UInt64, _ body: @escaping @MainActor () -> Void) -> Bool {
    guard MainDeliveries.areBeingMade else { return false }
    // Observation tells its readers in an order that differs from one run of a program to the next.
    followers.insert(body, in: place)
    return true
  }

  private static func callFollowers() {
    // One at a time: a function may wait for a step, and so make deliveries of its own.
    while !MainDeliveries.areBeingMade, let body = followers.removeFirst() { body() }
  }

  /// Functions in the order of their places: a binary heap.
  private struct Followers {
    private var heap: [(place: UInt64, body: @MainActor () -> Void)] = []

    /// Inserts a function. Cost: O(log n).
    mutating func insert(_ body: @escaping @MainActor () -> Void, in place: UInt64) {
      heap.append((place, body))
      var child = heap.count - 1
      while child > 0, heap[child].place < heap[(child - 1) / 2].place {
        heap.swapAt(child, (child - 1) / 2)
        child = (child - 1) / 2
      }
    }

    /// Removes and returns the function with the lowest place; nil if there is none. Cost: O(log n).
    mutating func removeFirst() -> (@MainActor () -> Void)? {
      guard !heap.isEmpty else { return nil }
      heap.swapAt(0, heap.count - 1)
      let first = heap.removeLast()
      var parent = 0
      while 2 * parent + 1 < heap.count {
        var child = 2 * parent + 1
        if child + 1 < heap.count, heap[child + 1].place < heap[child].place { child += 1 }
        guard heap[child].place < heap[parent].place else { break }
        heap.swapAt(parent, child)
        parent = child
      }
      return first.body
    }
  }
}
