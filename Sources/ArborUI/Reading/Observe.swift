public import Arbor
internal import Dispatch
internal import Observation

/// Calls `apply` with the value of `track` now, and again after each change to a part that `track` has read, as long as
/// you keep the returned subscription.
///
/// ```swift
/// subscription = observe { [store] in store.count } apply: { [label] count in label.text = "\(count)" }
/// ```
///
/// - Both closures are called on the main actor, the first time before this function returns.
/// - `apply` is called when a part that `track` has read changes, even if `track` then returns the same value. To
///   follow only a nested part, read it with `store[\.address.city]`.
/// - Only reads of observable objects in `track` are followed. Reads in `apply`, or in code that it calls, are not.
/// - Changes from stores are applied once, after all deliveries that are made together: when a `dispatchAndWait` on the
///   main actor returns, they have been applied. Any other change on the main actor is applied soon after it. A change
///   that another thread makes may be missed.
/// - `apply` is never called inside its own call. Changes that it makes are applied after it returns.
/// - Observations that follow the same deliveries are applied in the order they were created.
/// - `apply` may dispatch, wait, and cancel the subscription.
/// - Capture the view or view controller weakly, or capture only the parts you need, because the subscription keeps
///   both closures.
/// - Canceling the subscription on the main actor releases the scopes and rows that only this observation has followed.
///   On another thread, they are released soon after.
/// - Parameters:
///   - track: Reads the parts to follow, and returns a value.
///   - apply: Receives the value.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
public func observe<Value>(
  track: @escaping @MainActor () -> Value,
  apply: @escaping @MainActor (_ value: Value) -> Void
) -> StoreSubscription {
  let observation = TrackedObservation(track, apply)
  observation.run()
  // Only the subscription keeps the observation.
  return StoreSubscription { observation.cancel() }
}

/// A function whose reads are followed.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, visionOS 1, *)
@MainActor
private final class TrackedObservation<Value>: Observable {
  private let track: @MainActor () -> Value
  private let apply: @MainActor (Value) -> Void
  private let place = MainDeliveryRound.newPlace()
  private let isCancelled = AtomicFlag(false)
  private let reads = TrackedReads()

  /// The registrar of ``end``, which is tracked together with all reads of `track`: its change ends the tracking.
  private nonisolated let registrar = ObservationRegistrar()
  private var isRunning = false
  private var isRequested = false

  init(_ track: @escaping @MainActor () -> Value, _ apply: @escaping @MainActor (Value) -> Void) {
    self.track = track
    self.apply = apply
  }

  /// Reads and applies until nothing has changed meanwhile. A call inside its own call only requests another run.
  func run() {
    isRequested = true
    guard !isRunning else { return }
    isRunning = true
    while isRequested, !isCancelled.load() {
      isRequested = false
      let value = reads.replace { read() }
      // Reading may have canceled it before there was any tracking to end.
      if isCancelled.load() { endTracking() } else { reads.react { apply(value) } }
    }
    isRunning = false
  }

  /// Ends the observation, from any thread.
  nonisolated func cancel() {
    isCancelled.store(true)
    guard MainDeliveries.isOnMain else {
      registrar.withMutation(of: self, keyPath: \.end) {}
      return DispatchQueue.main.async { self.reads.end() }
    }
    MainActor.assumeIsolated { endTracking() }
  }

  /// Ends the tracking, and releases the objects that only it kept.
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

  /// Runs again after the change that is about to be made.
  private func runAfterChange() {
    if MainDeliveryRound.follow(in: place, { [weak self] in self?.run() }) { return }
    DispatchQueue.main.async { [weak self] in self?.run() }
  }
}

/// Functions that are called after all deliveries to the main actor that are made together.
@MainActor
private enum MainDeliveryRound {
  private static var followers = Followers()
  private static var lastPlace: UInt64 = 0

  /// A place for ``follow(in:_:)``, after all places that were made before.
  static func newPlace() -> UInt64 {
    // Set before a function can follow: only the owner of a place can register one.
    MainDeliveries.whenMade = callFollowers
    lastPlace += 1
    return lastPlace
  }

  /// Calls a function after the deliveries that are being made, in the order of the places.
  ///
  /// - Returns: `false` if no deliveries are being made. In that case the function is not called.
  static func follow(in place: UInt64, _ body: @escaping @MainActor () -> Void) -> Bool {
    guard MainDeliveries.areBeingMade else { return false }
    // Observation notifies its readers in an order that differs between runs of a program.
    followers.insert(body, in: place)
    return true
  }

  private static func callFollowers() {
    // One at a time: a function may wait for a step, and so cause deliveries of its own.
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
