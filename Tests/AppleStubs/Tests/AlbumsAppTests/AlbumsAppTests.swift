import Arbor
import ArborRequests
import ArborTesting
import ArborUI
import SwiftUI
import Testing

@testable import AlbumsApp

@MainActor
struct AlbumsAppTests {
  private let executor = ManualExecutor()
  private let program: AlbumsProgram

  init() {
    program = AlbumsProgram(SampleClient(), settings: TreeSettings(clock: TestClock(), executor: executor))
  }

  @Test func `the list and its rows are drawn when they are loaded`() {
    _ = AlbumListView(program: program).body
    #expect(program.list.status == .loading)
    executor.run()
    #expect(program.list.state == ListScreen(ids: [1, 2], status: .fresh))
    #expect(program.row(2).state?.album.title == "Album 2")
    _ = AlbumRowView(id: 2, program: program).body
  }

  @Test func `the open album is a screen on top of the list`() {
    executor.run()
    let path = AlbumListView(program: program).path
    program.store.send(.open(2))
    executor.run()
    #expect(path.wrappedValue == [2])
    #expect(program.detail.state?.album?.title == "Album 2")
    _ = AlbumView(program: program).body
    path.wrappedValue = []
    executor.run()
    #expect(program.detail.state == nil)
  }

  @Test func `a favorite is shown while there is no connection, and confirmed when it is back`() {
    executor.run()
    let isOffline = AlbumListView(program: program).isOffline
    isOffline.wrappedValue = true
    program.setFavorite(1, true)
    executor.run()
    #expect(isOffline.wrappedValue)
    #expect(program.row(1).state?.album.isFavorite == true)
    #expect(program.row(1).state?.isPending == true)
    isOffline.wrappedValue = false
    executor.run()
    #expect(program.row(1).state?.isPending == false)
    #expect(program.row(2).state?.album.isFavorite == false)
  }

  @Test func `the preview and the program are drawn`() throws {
    _ = AlbumPreviews.previews.body
    let window = try #require(AlbumsApp().body as? WindowGroup<AlbumListView>)
    _ = window.content.body
  }
}
