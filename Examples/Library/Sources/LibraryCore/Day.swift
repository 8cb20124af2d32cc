import Foundation

/// A day of the calendar, independent of time zones.
struct Day: Hashable, Sendable {
  /// The number of days since 1970-01-01.
  private let number: Int

  private init(number: Int) {
    self.number = number
  }

  /// The day at a moment, in a time zone.
  init(of date: Date, in timeZone: TimeZone) {
    let seconds = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    number = Int((seconds / Day.seconds).rounded(.down))
  }

  /// Reads `2026-03-01`; nil if there is no such day.
  init?(_ text: String) {
    guard let date = try? Date(text, strategy: Day.style) else { return nil }
    self.init(of: date, in: .gmt)
    // The strategy reads 2026-02-30 as 2026-03-02, and ignores the rest of the text.
    guard description == text else { return nil }
  }

  static func + (day: Day, days: Int) -> Day {
    Day(number: day.number + days)
  }

  private static let seconds = 86_400.0
  private static let style = Date.ISO8601FormatStyle().year().month().day()
}

extension Day: Comparable {
  static func < (left: Day, right: Day) -> Bool { left.number < right.number }
}

extension Day: Codable {
  /// Decodes the text of a day.
  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    let text = try container.decode(String.self)
    guard let day = Day(text) else {
      throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is not a day")
    }
    self = day
  }

  /// Encodes the day as its text, so that the file is readable.
  func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}

extension Day: CustomStringConvertible {
  var description: String { Date(timeIntervalSince1970: Double(number) * Day.seconds).formatted(Day.style) }
}
