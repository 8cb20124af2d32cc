@testable import LibraryCore

extension Library {
  /// Three books of two authors.
  static func sample() throws -> Library {
    var library = Library()
    try library.add(CatalogueEntry(id: 3, title: "Typee", author: "Herman Melville", year: 1846))
    try library.add(CatalogueEntry(id: 1, title: "Moby-Dick", author: "Herman Melville", year: 1851))
    try library.add(CatalogueEntry(id: 2, title: "Villette", author: "Charlotte Brontë", year: nil))
    return library
  }
}

extension Day {
  /// A day of the spring of 2026.
  static func march(_ number: Int) -> Day {
    Day("2026-03-01")! + (number - 1)
  }
}
