import Arbor
import ArborRequests
import ArborUI
import SwiftUI

/// The list of albums, and the open album on top of it.
struct AlbumListView: View {
  let program: AlbumsProgram

  var body: some View {
    let list = program.list.state
    NavigationStack(path: path) {
      List {
        Text(list.status.description)
        ForEach(program.store.failedChanges, id: \.id) { change in
          Text("Not changed, because \(change.failure?.reason ?? "")")
          Button("Try again") { program.store.send(.requests(.retryChange(change.id))) }
          Button("Dismiss") { program.store.send(.requests(.cancelChange(change.id))) }
        }
        ForEach(list.ids, id: \.self) { id in AlbumRowView(id: id, program: program) }
        if list.hasMore {
          Button("More", action: program.loadMore)
            .disabled(list.status.isInProgress)
        }
      }
      .navigationTitle("Albums")
      .navigationDestination(for: Album.ID.self) { _ in AlbumView(program: program) }
      .toolbar {
        ToolbarItem(placement: .primaryAction) {
          Button("Refresh", systemImage: "arrow.clockwise", action: program.refresh)
        }
        ToolbarItem(placement: .secondaryAction) { Toggle("Offline", isOn: isOffline) }
      }
    }
  }

  var path: Binding<[Album.ID]> {
    program.store.binding(\.path, send: { .open($0.last) })
  }

  var isOffline: Binding<Bool> {
    program.store.binding(\.isOffline, send: { .requests($0 ? .becameOffline : .becameOnline) })
  }
}

/// An album in the list. It is redrawn only when this album changes.
struct AlbumRowView: View {
  let id: Album.ID
  let program: AlbumsProgram

  var body: some View {
    if let row = program.row(id).state {
      HStack {
        Button(action: open) { Text(row.album.title) }
        if row.isPending { Text("not confirmed") }
        FavoriteButton(album: row.album, program: program)
      }
    }
  }

  func open() {
    program.store.send(.open(id))
  }
}

/// Makes an album a favorite, or no longer one. It shows the new state before the server confirms it.
struct FavoriteButton: View {
  let album: Album
  let program: AlbumsProgram

  var body: some View {
    let image = album.isFavorite ? "heart.fill" : "heart"
    Button("Favorite", systemImage: image) { program.setFavorite(album.id, !album.isFavorite) }
      // Otherwise a touch anywhere in the row would press the button.
      .buttonStyle(.borderless)
  }
}

/// The open album.
struct AlbumView: View {
  let program: AlbumsProgram

  var body: some View {
    Form {
      if let screen = program.detail.state {
        Text(screen.status.description)
        if let album = screen.album {
          Text(album.title)
          Text("by \(album.artist)")
          FavoriteButton(album: album, program: program)
        }
      }
    }
  }
}

struct AlbumPreviews: PreviewProvider {
  static var previews: some View {
    AlbumListView(program: AlbumsProgram(SampleClient()))
  }
}

/// A client for previews, whose server has two albums.
struct SampleClient: AlbumClient {
  func albums(from cursor: Int) async throws -> AlbumPage {
    AlbumPage(items: [try await album(1), try await album(2)], next: nil, previous: nil)
  }

  func album(_ id: Album.ID) async throws -> Album {
    Album(id: id, title: "Album \(id)", artist: "Artist \(id)")
  }

  func setFavorite(_ id: Album.ID, _ isFavorite: Bool, key: String) async throws -> Album {
    Album(id: id, title: "Album \(id)", artist: "Artist \(id)", isFavorite: isFavorite)
  }
}
