import ArborRequests

/// A step of a simulated world. If its object doesn't exist, it does nothing, so that a sequence stays valid when
/// operations are left out.
enum Operation: Sendable {
  // Observers have one of a few slots. A slot keeps a derived value, a subscription to it, or both.
  case observe(slot: Int, EntryID)
  case drop(slot: Int)
  case subscribe(slot: Int, onlyValues: Bool)
  case unsubscribe(slot: Int)

  /// Observes the album of the argument, which is the same for all followers.
  case follow(slot: Int)
  case setArgument(Int?)

  case fetch(waiter: Int, EntryID)
  case stopWaiting(waiter: Int)
  case prefetch(EntryID)
  case refetch(EntryID)
  case fetchPage(EntryID, PageDirection)

  case answer(EntryID, Int)
  case fail(EntryID)
  case endStream(EntryID)
  case answerLate(SimulatedServer.Target)

  case invalidate(RequestTag)
  case invalidateRequest(SimulatedRequest)
  case invalidateEntry(EntryID)

  case change(SimulatedChange, isAwaited: Bool)
  case confirm(change: Int)
  case refuse(change: Int)
  case cancel(change: Int)
  case retry(change: Int)

  case pass(seconds: Int)
  case becomeOnline(Bool)
  case becomeActive(Bool)
  case restart

  /// Stores the cache, for a replacement.
  case store

  /// All waits end, and then the program replaces the cache by the stored one without its changes, or by an empty one.
  /// The observers stay.
  case replace(byEmpty: Bool)
}
