import Arbor
import ArborEntities
import ArborTesting
import Testing

struct PlaylistTests {
  @Test func `all of it`() async {
    let store = TestStore(initialState: Playlist(songs: [], hidden: nil), feature: playlist)
    await store.send(.change(0)) {
      try $0.songs.insert(Song(id: 1, title: "", download: JobState()))
      try $0.songs.insert(Song(id: 2, title: "", download: JobState()))
      try $0.songs.insert(Song(id: 3, title: "", download: JobState()))
      try $0.songs.insert(Song(id: 4, title: "", download: JobState()))
      try $0.songs.insert(Song(id: 5, title: "", download: JobState()))
      try $0.songs.insert(Song(id: 6, title: "", download: JobState()))
    }
    await store.send(.change(1)) { try $0.songs.insert(1, at: 0, in: .named(#"up "next""#)) }
    await store.send(.change(2)) {
      try $0.songs.insert(2, at: 1, in: .named(#"up "next""#))
      try $0.songs.insert(3, at: 2, in: .named(#"up "next""#))
      try $0.songs.insert(4, at: 3, in: .named(#"up "next""#))
      try $0.songs.insert(5, at: 4, in: .named(#"up "next""#))
    }
    await store.send(.change(3)) { try $0.songs.insert(3, at: 0, in: .named("favorites")) }
    await store.send(.change(4)) { try $0.songs.move(1, to: 4, in: .named(#"up "next""#)) }
    await store.send(.change(5)) { try $0.songs.move(1, to: 0, in: .named(#"up "next""#)) }
    await store.send(.change(6)) {
      try $0.songs.move(5, to: 0, in: .named(#"up "next""#))
      try $0.songs.move(4, to: 1, in: .named(#"up "next""#))
      try $0.songs.move(3, to: 2, in: .named(#"up "next""#))
    }
    await store.send(.change(7)) { $0.songs.remove(4, from: .named(#"up "next""#)) }
    await store.send(.change(8)) {
      $0.songs.remove(3)
      try $0.songs.update(1) {
        $0.title = "First"
        $0.download.run()
      }
      try $0.songs.insert(Song(id: 9, title: "New", download: JobState()))
      try $0.songs.move(2, to: 0, in: .named(#"up "next""#))
      try $0.songs.insert(9, at: 2, in: .named(#"up "next""#))
      try $0.songs.insert(4, at: 0, in: .named("favorites"))
    }
    await store.send(.change(9)) {
      $0.hidden = {
        var table: EntityTable<Song> = [
          Song(
            id: 1,
            title: "First",
            download: {
              var job = JobState()
              job.restart()
              return job
            }()
          ),
          Song(id: 2, title: "", download: JobState()),
          Song(id: 4, title: "", download: JobState()),
          Song(id: 5, title: "", download: JobState()),
          Song(id: 6, title: "", download: JobState()),
          Song(id: 9, title: "New", download: JobState()),
        ]
        try! table.append(2, to: .named(#"up "next""#))
        try! table.append(5, to: .named(#"up "next""#))
        try! table.append(9, to: .named(#"up "next""#))
        try! table.append(1, to: .named(#"up "next""#))
        try! table.append(4, to: .named("favorites"))
        return table
      }()
    }
    await store.send(.change(10)) { try $0.hidden?.move(9, to: 0, in: .named(#"up "next""#)) }
    await store.send(.change(11)) {
      $0.songs = {
        var table: EntityTable<Song> = [
          Song(
            id: 7,
            title: "First",
            download: {
              var job = JobState()
              job.restart()
              return job
            }()
          ),
          Song(id: 2, title: "", download: JobState()),
          Song(id: 4, title: "", download: JobState()),
          Song(id: 5, title: "", download: JobState()),
          Song(id: 6, title: "", download: JobState()),
          Song(id: 9, title: "New", download: JobState()),
        ]
        try! table.append(2, to: .named(#"up "next""#))
        try! table.append(5, to: .named(#"up "next""#))
        try! table.append(9, to: .named(#"up "next""#))
        try! table.append(7, to: .named(#"up "next""#))
        try! table.append(4, to: .named("favorites"))
        return table
      }()
    }
    await store.send(.change(12)) {
      try $0.songs.insert(
        Song(
          id: 10,
          title: "Started",
          download: {
            var job = JobState()
            job.restart()
            return job
          }()
        )
      )
      try $0.songs.insert(10, at: 4, in: .named(#"up "next""#))
    }
    await store.send(.change(13)) {
      $0.songs.remove(7)
      $0.songs.remove(2)
      $0.songs.remove(4)
      $0.songs.remove(5)
      $0.songs.remove(6)
      $0.songs.remove(9)
      $0.songs.remove(10)
    }
    await store.finish()
  }

  @Test func `from an order on`() async {
    let initialState = Playlist(
      songs: {
        var table: EntityTable<Song> = [
          Song(
            id: 1,
            title: "First",
            download: {
              var job = JobState()
              job.restart()
              return job
            }()
          ),
          Song(id: 2, title: "", download: JobState()),
          Song(id: 4, title: "", download: JobState()),
          Song(id: 5, title: "", download: JobState()),
          Song(id: 6, title: "", download: JobState()),
          Song(id: 9, title: "New", download: JobState()),
        ]
        try! table.append(2, to: .named(#"up "next""#))
        try! table.append(5, to: .named(#"up "next""#))
        try! table.append(9, to: .named(#"up "next""#))
        try! table.append(1, to: .named(#"up "next""#))
        try! table.append(4, to: .named("favorites"))
        return table
      }(),
      hidden: nil
    )
    let store = TestStore(initialState: initialState, feature: playlist)
    await store.send(.change(9)) {
      $0.hidden = {
        var table: EntityTable<Song> = [
          Song(
            id: 1,
            title: "First",
            download: {
              var job = JobState()
              job.restart()
              return job
            }()
          ),
          Song(id: 2, title: "", download: JobState()),
          Song(id: 4, title: "", download: JobState()),
          Song(id: 5, title: "", download: JobState()),
          Song(id: 6, title: "", download: JobState()),
          Song(id: 9, title: "New", download: JobState()),
        ]
        try! table.append(2, to: .named(#"up "next""#))
        try! table.append(5, to: .named(#"up "next""#))
        try! table.append(9, to: .named(#"up "next""#))
        try! table.append(1, to: .named(#"up "next""#))
        try! table.append(4, to: .named("favorites"))
        return table
      }()
    }
    await store.send(.change(10)) { try $0.hidden?.move(9, to: 0, in: .named(#"up "next""#)) }
    await store.send(.change(11)) {
      $0.songs = {
        var table: EntityTable<Song> = [
          Song(
            id: 7,
            title: "First",
            download: {
              var job = JobState()
              job.restart()
              return job
            }()
          ),
          Song(id: 2, title: "", download: JobState()),
          Song(id: 4, title: "", download: JobState()),
          Song(id: 5, title: "", download: JobState()),
          Song(id: 6, title: "", download: JobState()),
          Song(id: 9, title: "New", download: JobState()),
        ]
        try! table.append(2, to: .named(#"up "next""#))
        try! table.append(5, to: .named(#"up "next""#))
        try! table.append(9, to: .named(#"up "next""#))
        try! table.append(7, to: .named(#"up "next""#))
        try! table.append(4, to: .named("favorites"))
        return table
      }()
    }
    await store.send(.change(12)) {
      try $0.songs.insert(
        Song(
          id: 10,
          title: "Started",
          download: {
            var job = JobState()
            job.restart()
            return job
          }()
        )
      )
      try $0.songs.insert(10, at: 4, in: .named(#"up "next""#))
    }
    await store.send(.change(13)) {
      $0.songs.remove(7)
      $0.songs.remove(2)
      $0.songs.remove(4)
      $0.songs.remove(5)
      $0.songs.remove(6)
      $0.songs.remove(9)
      $0.songs.remove(10)
    }
    await store.finish()
  }
}
