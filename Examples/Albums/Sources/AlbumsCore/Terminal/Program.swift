import AlbumServer
import Arbor
import ArborPersistence
import ArborRequests
import Foundation

/// The whole program: starts its server, makes the store, and executes commands until `quit` or the end of the input.
public enum Program {
  private static let usage = """
    usage: albums [--offline] [FOLDER]
      FOLDER     the folder that keeps the cache, the unsent changes, and the server's albums (default: none)
      --offline  starts without a connection
    """

  /// Runs the program with its arguments, and returns its exit status.
  public static func run(arguments: [String]) async -> Int32 {
    if arguments == ["--help"] {
      Terminal.write("\(usage)\n\(Command.overview)")
      return 0
    }
    let folders = arguments.filter { $0 != "--offline" }
    guard folders.count <= 1, folders.first?.hasPrefix("-") != true else {
      Terminal.complain(usage)
      return 2
    }
    do {
      let folder = folders.first.map { URL(filePath: $0) }
      let storage = try folder.map { try Storage(at: $0.appending(path: "cache")) } ?? .inMemory()
      let server = try AlbumServer(file: folder?.appending(path: "server.json"))
      let requests = AlbumRequests(HTTPAlbumClient(server.url))
      let isOnline = folders == arguments
      let factory = try await StoredState(storage: storage)
        .makeFactory(requests, isOnline: isOnline) { Terminal.complain("albums: \($0)") }
      var session = Session(requests, store: factory.rootStore(), server: server)
      await session.run()
      try await storage.close()
      return 0
    } catch {
      Terminal.complain("albums: \(error)")
      return 2
    }
  }
}
