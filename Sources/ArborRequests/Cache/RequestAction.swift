/// The actions of a cache. You dispatch some of them; the cache sends the others.
public enum RequestAction: Equatable, Codable, Sendable {
  // MARK: Yours

  /// Fetches the answer of an entry again, even if it is fresh or a fetch is in progress. A fetch in progress is
  /// canceled, and callers that wait for it receive the new answer. Without a connection, only the fetches of observed
  /// entries wait for it.
  case refetch(RequestID)

  /// Fetches the page after or before the loaded ones, if there is one. If a fetch is in progress, the page comes after
  /// it. Without a connection, only the pages of observed lists wait for it.
  case fetchPage(RequestID, PageDirection)

  /// Fetches an answer that will be needed, unless it is fresh, a fetch is in progress, or there is no connection.
  case prefetch(RequestID)

  /// Marks the answers with these tags as stale, and fetches the observed ones again.
  case invalidate([RequestTag])

  /// Marks the answers of all arguments of a request as stale, and fetches the observed ones again.
  case invalidateRequest(name: String)

  /// Marks an answer as stale, and fetches it again if it is observed.
  case invalidateEntry(RequestID)

  /// Removes all answers and changes, for example when the user signs out. Observed entries are fetched again.
  case removeAll

  /// Cancels a pending change, or removes a failed one. Its optimistic part is taken back.
  case cancelChange(PendingChange.ID)

  /// Sends a failed change again, with the same key, unless its caller waits for it.
  case retryChange(PendingChange.ID)

  /// The program became active: due fetches begin, and stale observed answers are fetched again. It does
  /// nothing if the program was in the foreground.
  case becameActive

  /// The program went to the background: fetches at an interval wait.
  case becameInactive

  /// The connection is back: waiting changes are sent, and due, stale and failed answers that are observed are fetched.
  /// It does nothing if there was a connection.
  case becameOnline

  /// The connection is lost: changes and fetches wait.
  case becameOffline

  // MARK: The cache's own

  /// An observer was added, or has another argument or none, at a time of the tree's clock.
  case observed(observer: Int, RequestID?, at: Duration)

  /// An observer left.
  case released(observer: Int, at: Duration)

  /// A fetch has an answer.
  case answered(fetch: Int, RequestID, ReceivedAnswer, at: Duration)

  /// The stream of a fetch has ended.
  case ended(fetch: Int, RequestID, at: Duration)

  /// An attempt of a fetch has failed.
  case failed(fetch: Int, RequestID, RequestFailure, at: Duration)

  /// The time has come to mark answers as stale, to fetch at an interval, or to remove entries.
  case alarm(at: Duration)

  /// A decoded cache continues: its pending changes are shown and sent, and the times of its entries begin.
  case resumed(at: Duration)

  /// A change was made.
  case changed(PendingChange)

  /// The server confirmed a change.
  case confirmed(PendingChange.ID, RequestValue)

  /// An attempt to send a change has failed.
  case refused(PendingChange.ID, RequestFailure)

  /// The caller of a change has received its result, or waits no longer.
  case acknowledged(PendingChange.ID)
}
