import AlbumServer
import Arbor
import Foundation
import Synchronization
import Testing

@testable import AlbumsCore

/// The commands of the program, with a server.
struct SessionTests {
  /// Runs commands, and returns the output.
  private func run(_ commands: String...) async throws -> [String] {
    let server = try AlbumServer()
    let requests = AlbumRequests(HTTPAlbumClient(server.url), backoff: .none)
    let factory = StoreFactory(initialState: AppState(), feature: appFeature(requests))
    let lines = Lines()
    let printer = Printer { line in lines.all.withLock { $0.append(line) } }
    var session = Session(requests, store: factory.rootStore(), server: server, printer: printer)
    var rest = commands[...]
    await session.run { rest.popFirst() }
    return lines.all.withLock(\.self)
  }

  private final class Lines: Sendable {
    let all = Mutex<[String]>([])
  }

  @Test func `the list is loaded by the first command that needs it`() async throws {
    #expect(
      try await run("", "list", "log") == [
        "list: loading", "list: up to date", "  1 Blue Train, John Coltrane", "  2 Kind of Blue, Miles Davis",
        "  3 Mingus Ah Um, Charles Mingus", "  4 Time Out, Dave Brubeck", "4 albums; more for the next page",
        "server: GET /albums?from=0&limit=4: 200",
      ]
    )
  }

  @Test func `a favorite is printed before and after the server confirms it`() async throws {
    #expect(
      try await run("open 2", "hold", "favorite 2 &", "log", "normal", "wait", "unfavorite 2") == [
        "details: loading", "details: up to date", "Kind of Blue", "by Miles Davis", "not a favorite",
        "♥ 2 Kind of Blue, Miles Davis (not confirmed)",
        "server: GET /albums/2: 200", "server: PUT /albums/2/favorite: 200",
        "details: refreshing", "♥ 2 Kind of Blue, Miles Davis", "details: up to date",
        "  2 Kind of Blue, Miles Davis (not confirmed)",
        "details: refreshing", "  2 Kind of Blue, Miles Davis", "details: up to date",
      ]
    )
  }

  @Test func `a refused favorite is printed as it was, with the reason, until it is sent again`() async throws {
    #expect(
      try await run("open 2", "fail 3", "favorite 2", "dismiss", "fail 3", "favorite 2", "retry").suffix(13)
        == [
          "♥ 2 Kind of Blue, Miles Davis (not confirmed)",
          "album 2 is not changed, because the server answered with the status 500; retry or dismiss",
          "details: refreshing", "  2 Kind of Blue, Miles Davis", "details: up to date",
          "♥ 2 Kind of Blue, Miles Davis (not confirmed)",
          "album 2 is not changed, because the server answered with the status 500; retry or dismiss",
          "details: refreshing", "  2 Kind of Blue, Miles Davis", "details: up to date",
          "♥ 2 Kind of Blue, Miles Davis (not confirmed)",
          "details: refreshing", "♥ 2 Kind of Blue, Miles Davis", "details: up to date",
        ].suffix(13)
    )
  }

  @Test func `lines that are no commands are answered with the reason`() async throws {
    #expect(
      try await run("frob", "open", "open x", "list 3", "favorite 9", "quit", "list") == [
        "error: unknown command \"frob\"; try help", "error: open needs a number", "error: \"x\" is not a number",
        "error: unexpected argument \"3\" for list", "error: album 9 isn't loaded; try list, more or open 9",
      ]
    )
  }

  @Test func `answers in the other order don't mix up the details`() async throws {
    #expect(
      try await run("reorder", "open 1 &", "open 2", "log") == [
        "details: loading", "details: up to date", "Kind of Blue", "by Miles Davis", "not a favorite",
        "server: GET /albums/1: 200", "server: GET /albums/2: 200",
      ]
    )
  }
}
