import Foundation
import Testing

@testable import LibraryCore

struct DayTests {
  @Test(arguments: ["2026-03-01", "2024-02-29", "1969-12-31", "0800-12-25"])
  func `a day is read in its written form`(text: String) {
    #expect(Day(text)?.description == text)
  }

  @Test(arguments: ["2026-02-30", "2025-02-29", "2026-3-1", "2026-03-01x", "20260301", "tomorrow", ""])
  func `an invalid day is not read`(text: String) {
    #expect(Day(text) == nil)
  }

  @Test func `a day is encoded in its written form, and an invalid day is not decoded`() throws {
    let data = try JSONEncoder().encode([Day.march(1)])
    #expect(String(decoding: data, as: UTF8.self) == #"["2026-03-01"]"#)
    #expect(try JSONDecoder().decode([Day].self, from: data) == [.march(1)])
    #expect(throws: DecodingError.self) { try JSONDecoder().decode([Day].self, from: Data(#"["2026-02-30"]"#.utf8)) }
  }

  @Test func `days are counted across the ends of months and years`() throws {
    let day = try #require(Day("2023-12-31"))
    #expect("\(day + 1)" == "2024-01-01")
    #expect("\(day + 60)" == "2024-02-29")
    #expect(day < day + 1)
  }

  @Test func `the day is that of the time zone`() throws {
    let moment = try Date("2026-03-01T12:00:00Z", strategy: .iso8601)
    let east = try #require(TimeZone(secondsFromGMT: 13 * 3600))
    let west = try #require(TimeZone(secondsFromGMT: -13 * 3600))
    #expect("\(Day(of: moment, in: .gmt))" == "2026-03-01")
    #expect("\(Day(of: moment, in: east))" == "2026-03-02")
    #expect("\(Day(of: moment, in: west))" == "2026-02-28")
    #expect("\(Day(of: Date(timeIntervalSince1970: -1), in: .gmt))" == "1969-12-31")
  }
}
