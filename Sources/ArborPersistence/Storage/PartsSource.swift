/// A source of parts of a state. Used on the queue of its storage.
protocol PartsSource: AnyObject, Sendable {
  /// The names of the parts.
  var names: Set<String> { get }

  /// The number of the load by which the parts were loaded.
  var load: Int { get }

  /// `true` if the actions that change the parts are journaled.
  var isJournaled: Bool { get }

  /// Saves what has changed since the last save, after everything that the store has accepted until now.
  func save(in core: StorageCore) throws(StorageError)

  /// All parts as they are now, and the errors of those that cannot be encoded. None after they were erased, until they
  /// have changed, or an action was journaled.
  ///
  /// - Parameter begin: Called when the state is read; where there is a store, before its next step.
  func whole(at begin: () -> Void) -> (parts: [StoredPart], errors: [StorageError])

  /// Notes that what was encoded last was saved.
  func didSave()

  /// `true` while there is a store.
  var hasStore: Bool { get }

  /// `true` if there is something to save.
  var hasUnsavedChanges: Bool { get }

  /// Notes that not everything could be saved.
  ///
  /// - Parameter mayRetry: `false` if nothing is saved on behalf of this source any more.
  func didFail(mayRetry: Bool)

  /// Notes that everything that was saved is erased: once a part changes, or an action is journaled, all are saved.
  func didErase()

  /// Notes the refusals of actions whose callers were not told of them.
  func noteRefusals()

  /// Notes that what was loaded is erased already: once a part is another one than that, all of them are saved.
  func beginErased()
}
