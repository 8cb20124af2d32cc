import Arbor
import ArborRequests

/// The keys with which changes were sent, which stay the same after a restart.
final class SimulatedKeys: Sendable {
  private let keys = Protected<(byChange: [Int: String], areStable: Bool)>(([:], true))

  /// `false` if a change was sent with a second key.
  var areStable: Bool { keys.withLock { $0.areStable } }

  func add(_ key: String, of change: Int) {
    keys.withLock { keys in
      if let first = keys.byChange.updateValue(key, forKey: change), first != key { keys.areStable = false }
    }
  }
}

/// The definitions of the simulated requests and changes, which call a server.
struct SimulatedDefinitions {
  let keys: SimulatedKeys
  let album: Request<Int, SimulatedAlbum>
  let list: Request<Int, [Int]>
  let status: Request<Int, Int>
  let news: Request<Int, Int>
  let pages: Request<Int, Pages<Int, SimulatedPage>>
  private let add: Change<SimulatedChange, Int>
  private let set: Change<SimulatedChange, Int>

  init(_ server: SimulatedServer, _ keys: SimulatedKeys) {
    @Sendable func call(_ request: SimulatedRequest, _ argument: Int, cursor: Int = 0) async throws -> Int {
      let id = EntryID(request: request, argument: argument)
      return try await server.call(.fetch(id, cursor: cursor), heedsCancellation: request.heedsCancellation)
    }
    func seconds(_ seconds: Int?) -> Duration? { seconds.map { .seconds($0) } }
    let backoff = EffectBackoff.constant(.seconds(SimulatedRequest.backoff))
    func request<Value: Equatable & Sendable>(
      _ request: SimulatedRequest,
      number: @escaping @Sendable (Value) -> Int,
      value: @escaping @Sendable (_ argument: Int, _ number: Int) -> Value
    ) -> Request<Int, Value> {
      let policy = request.policy
      return Request(
        request.rawValue,
        freshFor: seconds(policy.freshFor),
        keptFor: .seconds(policy.keptFor),
        retries: policy.retries,
        backoff: backoff,
        every: seconds(policy.interval),
        timeout: seconds(policy.timeout),
        tags: { request.tags($0, number($1)) },
        fetch: { value($0, try await call(request, $0)) }
      )
    }
    let album = request(.album, number: { $0.number }, value: SimulatedAlbum.init)
    let numbers = request(.list, number: { $0 }, value: { $1 })
    let list = numbers.normalized { number in
      let albums = SimulatedRequest.albums(number)
      return RequestAnswer(albums).providing(album, albums.map { SimulatedAlbum(id: $0, number: number) })
    }
    let news = Request<Int, Int>(
      streaming: "news",
      keptFor: .seconds(SimulatedRequest.news.policy.keptFor),
      retries: SimulatedRequest.news.policy.retries,
      backoff: backoff,
      tags: { SimulatedRequest.news.tags($0, $1) },
      stream: { server.stream(.fetch(EntryID(request: .news, argument: $0), cursor: 0)) }
    )
    let policy = SimulatedRequest.pages.policy
    let pages = Request<Int, Pages<Int, SimulatedPage>>(
      pages: "pages",
      first: 0,
      next: { SimulatedRequest.cursor(after: $0.cursor) },
      previous: { SimulatedRequest.cursor(before: $0.cursor) },
      atMost: SimulatedRequest.maxPages,
      freshFor: seconds(policy.freshFor),
      keptFor: .seconds(policy.keptFor),
      retries: policy.retries,
      backoff: backoff,
      tags: { SimulatedRequest.pages.tags($0, $1.number) },
      fetch: { SimulatedPage(cursor: $1, number: try await call(.pages, $0, cursor: $1)) }
    )
    func change(_ name: String, retries: Int) -> Change<SimulatedChange, Int> {
      Change(
        name,
        retries: retries,
        backoff: backoff,
        inOrder: \.order,
        invalidates: \.invalidates,
        optimistic: { input in
          let id = input.argument
          @Sendable func patch(_ album: inout SimulatedAlbum) { album.number = input.applied(to: album.number) }
          let albums = input.isForAll ? album.patchAll(patch) : album.patch(id, patch)
          guard !input.isAddition else { return [albums] }
          return [
            albums,
            list.patch(id) { $0 = input.albums },
            news.patch(id) { $0 = input.applied(to: $0) },
            pages.patch(id) { $0.changeEach { $0.number = input.applied(to: $0.number) } },
          ]
        },
        send: { input, key in
          keys.add(key, of: input.number)
          return try await server.call(.send(input.number), heedsCancellation: false)
        }
      )
    }
    (self.keys, self.album, self.list, self.news, self.pages) = (keys, album, list, news, pages)
    status = request(.status, number: { $0 }, value: { $1 })
    (add, set) = (change("add", retries: 0), change("set", retries: 1))
  }

  var all: [any RequestDefinition] { [album, list, status, news, pages, add, set] }

  func change(of input: SimulatedChange) -> Change<SimulatedChange, Int> { input.isAddition ? add : set }

  /// The identity of an entry in the cache.
  func requestID(_ id: EntryID) -> RequestID {
    switch id.request {
    case .album: album.id(id.argument)
    case .list: list.id(id.argument)
    case .status: status.id(id.argument)
    case .news: news.id(id.argument)
    case .pages: pages.id(id.argument)
    }
  }

  /// Observes an entry.
  func observe(_ id: EntryID, in store: Store<Requests, RequestAction>) -> SimulatedObserver {
    let argument = id.argument
    return switch id.request {
    case .album: SimulatedObserver(store.request(album, argument)!) { [$0.id, $0.number] }
    case .list: SimulatedObserver(store.request(list, argument)!) { $0 }
    case .status: SimulatedObserver(store.request(status, argument)!) { [$0] }
    case .news: SimulatedObserver(store.request(news, argument)!) { [$0] }
    case .pages: SimulatedObserver(store.request(pages, argument)!, SimulatedDefinitions.numbers)
    }
  }

  /// Observes the album of an argument.
  func follow(_ argument: Derived<Int?>, in store: Store<Requests, RequestAction>) -> SimulatedObserver {
    SimulatedObserver(store.request(album, following: argument)!) { [$0.id, $0.number] }
  }

  /// Waits for an answer.
  func fetch(_ id: EntryID, in store: Store<Requests, RequestAction>) async throws -> [Int] {
    let argument = id.argument
    return switch id.request {
    case .album: [argument, try await store.fetch(album, argument).number]
    case .list: try await store.fetch(list, argument)
    case .status: [try await store.fetch(status, argument)]
    case .news: [try await store.fetch(news, argument)]
    case .pages: SimulatedDefinitions.numbers(try await store.fetch(pages, argument))
    }
  }

  private static func numbers(_ pages: Pages<Int, SimulatedPage>) -> [Int] {
    pages.pages.flatMap { [$0.cursor, $0.number] }
  }
}

/// A derived value of any request.
struct SimulatedObserver {
  let state: () -> Seen.State

  /// Subscribes to the states, or only to their values.
  let subscribe: (_ onlyValues: Bool, _ body: @escaping @Sendable (Seen.State) -> Void) -> StoreSubscription?

  init<Value>(_ derived: Derived<RequestState<Value>>, _ numbers: @escaping @Sendable (Value) -> [Int]) {
    @Sendable func seen(_ state: RequestState<Value>) -> Seen.State {
      Seen.State(
        value: state.value.map(numbers),
        isStale: state.isStale,
        isPending: state.isPending,
        isFetching: state.isFetching,
        fetchedPage: state.fetchedPage,
        isPrevious: state.isPrevious,
        isWaiting: state.isWaiting,
        failure: state.failure?.kind
      )
    }
    state = { seen(derived.value) }
    subscribe = { onlyValues, body in
      onlyValues
        ? derived.derived { $0.value }.observe { body(Seen.State(value: $0.map(numbers))) }
        : derived.observe { body(seen($0)) }
    }
  }
}
