import Foundation

/// The medians of a row's runs.
struct RowResult {
  let row: Row
  let work: Double
  let limit: Double

  var ratio: Double { work / limit }
  var isWithinBudget: Bool { ratio <= row.budget }

  /// The row of the table, separated by tabs.
  var line: String {
    [
      row.workload, number(work), row.limit, number(limit), String(format: "%.2f", ratio),
      String(format: "%.2f", row.budget), isWithinBudget ? "ok" : "over",
    ].joined(separator: "\t")
  }

  private func number(_ value: Double) -> String {
    String(format: "%.1f", value)
  }
}
