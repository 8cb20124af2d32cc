import Arbor
import ArborDevTools
import ArborEntities
import ArborTesting

/// A song, which has a place in the manual orders of its table.
struct Song: Identifiable, Hashable, Sendable {
  var id: TypedID<Song, Int>
  var title = ""
  var download = JobState()
}

extension Song: IndexedEntity {
  static let queue = ManualOrder<Song>("up \"next\"")
  static let favorites = ManualOrder<Song>("favorites")

  static var indexes: [any EntityIndex<Song>] { [queue, favorites] }
}

/// A program whose table has manual orders.
struct Playlist: Equatable, Sendable {
  var songs = EntityTable<Song>()
  var hidden: EntityTable<Song>?

  /// The changes to make, one after the other.
  static let changes: [@Sendable (inout Playlist) throws -> Void] = [
    { playlist in
      for id in 1...6 { try playlist.songs.insert(Song(id: TypedID(id))) }
    },
    { try $0.songs.append(1, to: Song.queue) },
    { playlist in
      for id in [2, 3, 4, 5] as [Song.ID] { try playlist.songs.append(id, to: Song.queue) }
    },
    { try $0.songs.append(3, to: Song.favorites) },
    { try $0.songs.move(1, to: 4, in: Song.queue) }, { try $0.songs.move(1, to: 0, in: Song.queue) },
    { try $0.songs.move([5, 4, 3], before: 1, in: Song.queue) }, { $0.songs.remove(4, from: Song.queue) },
    {
      $0.songs.remove(3)
      try $0.songs.insert(Song(id: 9, title: "New"))
      try $0.songs.insert(9, at: 1, in: Song.queue)
      try $0.songs.move(2, to: 0, in: Song.queue)
      try $0.songs.append(4, to: Song.favorites)
      try $0.songs.update(1) { ($0.title, $0.download) = ("First", JobState(running: ())) }
    },
    { $0.hidden = $0.songs },
    { try $0.hidden?.move(9, to: 0, in: Song.queue) },
    { try $0.songs.rename([1: 7]) { $0.id = $1 } },
    {
      let started = Song(id: 10, title: "Started", download: JobState(running: ()))
      try $0.songs.insert(started)
      try $0.songs.append(10, to: Song.queue)
    },
    { $0.songs.removeAll() },
  ]

  /// The text of a test file that performs all of it, and of one that begins with orders.
  static func file() throws -> String {
    let (executor, monitor) = (ManualExecutor(), RunMonitor<Playlist, PlaylistAction>())
    let factory = StoreFactory(
      initialState: Playlist(),
      feature: playlist,
      settings: TreeSettings(monitors: [monitor], executor: executor)
    )
    for number in changes.indices {
      factory.dispatch(.change(number))
      executor.run()
    }
    let steps = monitor.steps
    var functions: [String] = []
    for (name, start) in [("all of it", 0), ("from an order on", 9)] {
      var state = Playlist()
      for change in changes.prefix(start) { try change(&state) }
      var source = TestSource(name: name, initialState: state, steps: Array(steps[start...]))
      source.makeStore = "TestStore(initialState: …, feature: playlist)"
      functions.append(try source.function())
    }
    return TestFile(suite: "PlaylistTests", modules: ["ArborEntities"]).text(of: functions)
  }
}

extension JobState {
  /// A job that has begun.
  fileprivate init(running: Void) {
    self.init()
    run()
  }
}

enum PlaylistAction: Equatable, Sendable {
  case change(Int)
}

let playlist = Feature<Playlist, PlaylistAction> { state, action in
  guard case .change(let number) = action else { return }
  try! Playlist.changes[number](&state)
}
