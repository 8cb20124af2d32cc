import ArborSync
import Foundation
import PostgresLog
import Testing

@Suite("The errors of a database")
struct PostgresErrorTests {
  @Test(arguments: [
    "08006", "08P01", "25006", "26000", "40001", "40P01", "53100", "53300", "55P03", "57014", "57P01", "57P02", "57P03",
    "57P05", "58030", "XX000",
  ])
  func `temporary errors are unreachable`(code: String) {
    #expect(LogError(.server(code: code, "why")) == .unreachable("why"))
  }

  @Test(arguments: [
    "22021", "23505", "23514", "28000", "28P01", "3D000", "42501", "42601", "54000", "P0001", "XX001", "0A000",
  ])
  func `permanent errors are refused`(code: String) {
    #expect(LogError(.server(code: code, "why")) == .refused("why"))
  }

  @Test(arguments: ["3F000", "42P01", "42883"])
  func `without tables there is no log`(code: String) {
    #expect(LogError(.server(code: code, "why")) == .anotherLog(nil))
  }

  @Test func `a failed connection is unreachable, and an invalid setting is refused`() {
    #expect(LogError(.connection("why")) == .unreachable("why"))
    #expect(LogError(.settings("why")) == .refused("why"))
  }

  @Test func `the codes of a failed connection are found in any language`() {
    let message = """
      connection to server at "::1", port 5432 failed: Connection refused
      \tIs the server running on that host and accepting TCP/IP connections?
      connection to server at "127.0.0.1", port 5432 failed: FATAL:  28P01: password authentication failed for user "ann"
      LOCATION:  auth_failed, auth.c:331
      connection to server at "127.0.0.1", port 5432 failed: SCHWERWIEGEND:  57P03: das Datenbanksystem startet
      """
    #expect(PostgresConnection.codes(in: message) == ["28P01", "57P03"])
    #expect(PostgresConnection.codes(in: "FATAL:  no code") == [])
    #expect(PostgresConnection.codes(in: "") == [])
  }

  @Test func `quotations are left out`() {
    #expect(ConnectionSettings.withoutQuotations("missing \"=\" after \"word\" in string") == "missing … in string")
    #expect(ConnectionSettings.withoutQuotations("one \" alone") == "one … alone")
    #expect(ConnectionSettings.withoutQuotations("none") == "none")
  }

  @Test func `a payload identifies a signal`() throws {
    for signal in [LogSignal.appended, .message(Data()), .message(Data([0, 255, 7]))] {
      #expect(LogChannel.signal(of: LogChannel.payload(of: signal)) == signal)
    }
    let id = try #require(UUID(uuidString: "0F000000-0000-0000-0000-0000000000A1"))
    #expect(LogChannel(log: id).name == "arbor_0f0000000000000000000000000000a1")
  }
}
