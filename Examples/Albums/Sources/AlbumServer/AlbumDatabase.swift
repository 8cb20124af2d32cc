internal import Foundation

/// The albums of the server, and its answers to requests.
struct AlbumDatabase {
  struct Record: Codable {
    let id: Int
    let title: String
    let artist: String
    var isFavorite = false
  }

  struct Page: Encodable {
    let items: [Record]
    let next: Int?
    let previous: Int?
  }

  private struct Content: Codable {
    var records = AlbumDatabase.records

    /// The answer to each change, by the key with which it was sent.
    var applied: [String: Record] = [:]
  }

  private let file: URL?
  private var content: Content

  init(file: URL?) throws {
    self.file = file
    let isStored = file.map { FileManager.default.fileExists(atPath: $0.path) } ?? false
    content = isStored ? try JSONDecoder().decode(Content.self, from: Data(contentsOf: file!)) : Content()
  }

  /// The changes that were made, by their keys.
  var applied: [String: Record] { content.applied }

  mutating func response(to request: HTTPRequest) -> HTTPResponse {
    switch (request.method, request.path.count, request.path.first) {
    case ("GET", 1, "albums"):
      return HTTPResponse(200, encoding: page(from: request.number("from") ?? 0, limit: request.number("limit") ?? 4))
    case ("GET", 2, "albums"):
      guard let index = index(of: request.path[1]) else { break }
      return HTTPResponse(200, encoding: content.records[index])
    case ("PUT", 3, "albums") where request.path[2] == "favorite":
      guard let index = index(of: request.path[1]) else { break }
      guard let isFavorite = try? JSONDecoder().decode(Bool.self, from: request.body),
        let key = request.headers["idempotency-key"]
      else { return HTTPResponse(400, "\"a key, and true or false, are missing\"") }
      return setFavorite(isFavorite, at: index, key: key)
    default: break
    }
    return HTTPResponse(404, "\"not found\"")
  }

  private func index(of id: String) -> Int? {
    content.records.firstIndex { String($0.id) == id }
  }

  /// Returns the albums from an id on. Each cursor is the id of a page's first album.
  private func page(from cursor: Int, limit: Int) -> Page {
    let (records, limit) = (content.records, max(1, limit))
    let start = records.firstIndex { $0.id >= cursor } ?? records.endIndex
    let end = min(start + limit, records.endIndex)
    return Page(
      items: Array(records[start..<end]),
      next: end < records.endIndex ? records[end].id : nil,
      previous: start > 0 ? records[max(0, start - limit)].id : nil
    )
  }

  private mutating func setFavorite(_ isFavorite: Bool, at index: Int, key: String) -> HTTPResponse {
    if let earlier = content.applied[key] { return HTTPResponse(200, encoding: earlier) }
    content.records[index].isFavorite = isFavorite
    content.applied[key] = content.records[index]
    do {
      if let file { try JSONEncoder().encode(content).write(to: file, options: .atomic) }
    } catch {
      return HTTPResponse(500, "\"not stored\"")
    }
    return HTTPResponse(200, encoding: content.records[index])
  }
}

extension AlbumDatabase {
  fileprivate static let records = [
    ("Blue Train", "John Coltrane"), ("Kind of Blue", "Miles Davis"), ("Mingus Ah Um", "Charles Mingus"),
    ("Time Out", "Dave Brubeck"), ("Moanin'", "Art Blakey"), ("Waltz for Debby", "Bill Evans"),
    ("Maiden Voyage", "Herbie Hancock"), ("Idle Moments", "Grant Green"), ("Speak No Evil", "Wayne Shorter"),
    ("Saxophone Colossus", "Sonny Rollins"), ("Lady in Satin", "Billie Holiday"), ("Pastel Blues", "Nina Simone"),
  ].enumerated().map { index, album in Record(id: index + 1, title: album.0, artist: album.1) }
}
