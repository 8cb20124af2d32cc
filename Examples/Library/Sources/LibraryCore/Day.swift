import Foundation

/// A day of the calendar, wherever it is lived.
struct Day: Hashable, Sendable {
  /// Days since 1970-01-01.
  private let number: Int

  private init(number: Int) {
    self.number = number
  }

  /// The day that it is at a moment, in a time zone.
  init(of date: Date, in timeZone: TimeZone) {
    let seconds = date.timeIntervalSince1970 + Double(timeZone.secondsFromGMT(for: date))
    number = Int((seconds / Day.seconds).rounded(.down))
  }

  /// Reads `2026-03-01`; nil if that is no day.
  init?(_ text: String) {
    guard let date = try? Date(text, strategy: Day.style) else { return nil }
    self.init(of: date, in: .gmt)
    // The strategy takes 2026-02-30 for 2026-03-02, and does not look at what follows.
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

  /// Encodes the day as its text, so that whoever looks into a file can read it.
  func encode(to encoder: any Encoder) throws {
    try description.encode(to: encoder)
  }
}

extension Day: CustomStringConvertible {
  var description: String { Date(timeIntervalSince1970: Double(number) * Day.seconds).formatted(Day.style) }
}
