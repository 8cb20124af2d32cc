import Foundation

/// A book in a line of the catalog.
struct CatalogueEntry: Equatable, Sendable {
  let id: Int
  let title: String
  let author: String
  let year: Int?
}

extension CatalogueEntry: Decodable {
  private enum CodingKeys: CodingKey {
    case id, title, author, year
  }

  /// Decodes a JSON object; unknown keys are ignored.
  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    func text(_ key: CodingKeys) throws -> String {
      let text = try container.decode(String.self, forKey: key).trimmingCharacters(in: .whitespacesAndNewlines)
      guard !text.isEmpty else { throw RowError.blank(key.stringValue) }
      return text
    }
    id = try container.decode(Int.self, forKey: .id)
    title = try text(.title)
    author = try text(.author)
    year = try container.decodeIfPresent(Int.self, forKey: .year)
    if let year, !(1...9999).contains(year) { throw RowError.year(year) }
  }

  /// Decodes a line.
  init(line: Data) throws(RowError) {
    guard String(validating: line, as: UTF8.self) != nil else { throw .notText }
    do {
      self = try JSONDecoder().decode(CatalogueEntry.self, from: line)
    } catch let error as RowError {
      throw error
    } catch {
      throw RowError(error, in: line)
    }
  }
}
