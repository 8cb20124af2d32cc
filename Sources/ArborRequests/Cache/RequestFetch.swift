internal import Arbor

extension Requests {
  /// A fetch in progress.
  struct Fetch: Identifiable, Equatable, Codable, Sendable {
    /// The number of a fetch, and its entry: a state that replaces another one may have another fetch with this number.
    struct ID: Hashable, Codable, Sendable, CustomStringConvertible {
      let number: Int
      let entry: RequestID

      var description: String { "\(number) of \(entry)" }
    }

    let id: ID

    /// The number of the action that began it. Fetches with equal numbers began at the same time.
    var round: Int

    /// The page that it adds; nil if it fetches the answer.
    let page: PageDirection?

    /// The cursor of the first page to fetch; nil if the answer has no pages.
    let cursor: RequestValue?

    /// The number of pages to fetch, as far as there are so many.
    let pageCount: Int

    /// `true` if it goes on without observers.
    let isPrefetch: Bool
    var job = JobState()

    /// `true` if its answer is stale when it arrives, because its entry was invalidated after its beginning.
    var isOutdated = false

    /// The invalidations after its beginning.
    var invalidated: Set<RequestReach> = []

    /// The entries of changes that were confirmed after its beginning: it may bring old values of these entries.
    var confirmed: Set<RequestReach> = []

    var entry: RequestID { id.entry }

    /// Returns `true` if a change of an entry was confirmed after its beginning.
    func mayLackChange(of id: RequestID) -> Bool {
      confirmed.contains(.entry(id)) || confirmed.contains(.request(id.name))
    }

    /// Returns `true` if a value that it brings was changed or invalidated after its beginning.
    func isOutdated(_ id: RequestID, _ tags: [RequestTag]) -> Bool {
      isOutdated && id == entry || mayLackChange(of: id) || invalidated.contains { $0.reaches(id, tags) }
    }
  }
}
