import BoardCore
import Foundation
import Testing

@Suite("Folders")
struct FoldersTests {
  private let folders = Folders(root: URL(filePath: "/state/board"))

  @Test func `the folder is given by the environment, or is in the home folder`() {
    let home = URL(filePath: "/home/ann")
    #expect(Folders(environment: ["XDG_STATE_HOME": "/state"], home: home).root.path == "/state/arbor-board")
    for environment in [[:], ["XDG_STATE_HOME": ""], ["XDG_STATE_HOME": "state"]] {
      #expect(Folders(environment: environment, home: home).root.path.hasPrefix("/home/ann/"))
    }
    #expect(Folders(environment: ["HOME": "/home/bob"], home: home).root.path.hasPrefix("/home/bob/"))
  }

  @Test func `each name has an outbox inside the folder`() {
    #expect(folders.outbox(of: "Ann").path == "/state/board/outboxes/Ann")
    #expect(folders.outbox(of: "../../etc").path == "/state/board/outboxes/%2E%2E%2F%2E%2E%2Fetc")
    #expect(folders.outbox(of: "牛").path == "/state/board/outboxes/%E7%89%9B")
    #expect(folders.outbox(of: String(repeating: "\u{7}", count: 60)).lastPathComponent.utf8.count < 255)
  }

  @Test func `each log has separate outboxes, regardless of the user in its address`() {
    let path = "/state/board/outboxes for db%2Fboards/Ann"
    for log in ["postgres://db/boards", "postgres://ann:secret@DB:5432/boards?sslmode=require&password=secret"] {
      #expect(folders.outbox(of: "Ann", for: log).path == path)
    }
    #expect(folders.outbox(of: "Ann", for: "postgres://db:5433/boards").path != path)
    #expect(folders.outbox(of: "Ann", for: "postgres://db/other").path != path)
    #expect(folders.outbox(of: "Ann", for: "postgres:///boards").path == "/state/board/outboxes for %2Fboards/Ann")
  }
}
