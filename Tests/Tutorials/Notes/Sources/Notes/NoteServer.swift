import Foundation

struct Note: Codable, Equatable, Identifiable, Sendable {
  let id: Int
  var text: String
}

actor NoteServer {
  private struct Content: Codable {
    var notes = [Note(id: 1, text: "Water the tree"), Note(id: 2, text: "Buy tea"), Note(id: 3, text: "Call Ann")]
    var keys: Set<String> = []
  }

  struct Refusal: Error, CustomStringConvertible {
    let description: String
  }

  private let file: URL
  private var content: Content

  init(file: URL) {
    self.file = file
    content = (try? JSONDecoder().decode(Content.self, from: Data(contentsOf: file))) ?? Content()
  }

  func newestNotes() -> [Note] { content.notes.suffix(2) }

  func note(_ id: Note.ID) throws -> Note { content.notes[try index(of: id)] }

  func save(_ edited: Note, key: String) throws -> Note {
    if content.keys.contains(key) { return try note(edited.id) }
    guard edited.text.count <= 20 else { throw Refusal(description: "more than 20 letters") }
    content.notes[try index(of: edited.id)] = edited
    content.keys.insert(key)
    try JSONEncoder().encode(content).write(to: file)
    return edited
  }

  private func index(of id: Note.ID) throws -> Int {
    guard let index = content.notes.firstIndex(where: { $0.id == id }) else {
      throw Refusal(description: "no such note")
    }
    return index
  }
}
