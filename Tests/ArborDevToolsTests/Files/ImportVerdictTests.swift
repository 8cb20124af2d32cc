import ArborDevTools
import Testing

@Suite("Entries that are imported")
struct ImportVerdictTests {
  private enum Action: Codable, Equatable {
    case add(id: Int)
    case clear
  }

  private struct Opaque {}

  private func entry(_ action: RecordedValue?, store: Int = 1) -> RecordingDocument.Entry {
    RecordingDocument.Entry(number: 1, store: store, name: "add", text: "add", action: action)
  }

  private func verdict(
    _ entry: RecordingDocument.Entry,
    _ encoding: RecordingDocument.Header.Encoding = .codable
  ) -> ImportVerdict<Action> {
    entry.verdict(root: 1, encoding: encoding, as: Action.self)
  }

  @Test func `a root action that can be decoded is repeatable`() throws {
    #expect(verdict(entry(try RecordedValue(encoding: Action.add(id: 3)))) == .repeatable(.add(id: 3)))
  }

  @Test func `an action that cannot be repeated is only shown`() throws {
    let action = try RecordedValue(encoding: Action.clear)
    var barrier = entry(action)
    barrier.isBarrier = true
    for verdict in [
      verdict(barrier), verdict(entry(nil)), verdict(entry(action, store: 2)), verdict(entry(action), .description),
      verdict(entry(.array([.redacted]))), verdict(entry(.object(RecordedObject([.init("add", .omitted("x"))])))),
    ] {
      guard case .shownOnly(let reason) = verdict else {
        Issue.record("\(verdict)")
        continue
      }
      #expect(reason.hasSuffix("."))
    }
    for outcome: LoggedOutcome in [.replaced, .dropped, .held, .revoked, .failed] {
      var other = entry(action)
      other.outcome = outcome
      guard case .shownOnly(let reason) = verdict(other), reason.hasSuffix(".") else {
        Issue.record("\(outcome)")
        continue
      }
    }
    guard case .shownOnly = entry(action).verdict(root: 1, encoding: .codable, as: Opaque.self) else {
      Issue.record("an action whose type is not Codable was accepted")
      return
    }
  }

  @Test func `an action of another program is impossible, and the reason says where`() throws {
    let action = try RecordedValue(encoding: ["add": ["id": "three"]])
    #expect(
      verdict(entry(action))
        == .impossible("The action \"add\" cannot be decoded as Action: At .add.id: There is a string instead of Int.")
    )
    guard case .impossible = verdict(entry(.null)) else {
      Issue.record("null was accepted as an action")
      return
    }
  }
}
