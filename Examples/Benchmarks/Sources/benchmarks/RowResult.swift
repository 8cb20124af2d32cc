import Foundation

/// The medians of a row's runs.
struct RowResult {
  let row: Row
  let work: Double?
  let limit: Double

  /// `true` if the work took more than the row's budget; `false` if the row has no budget, or no result.
  var isOverBudget: Bool {
    guard let ratio, let budget = row.budget else { return false }
    return ratio > budget
  }

  /// The row of the table, separated by tabs.
  var line: String {
    [
      row.workload, text(work, digits: 1), row.limit, text(limit, digits: 1), text(ratio, digits: 2),
      row.budget.map { text($0, digits: 2) } ?? "-", verdict,
    ].joined(separator: "\t")
  }

  private var ratio: Double? { work.map { $0 / limit } }

  private var verdict: String {
    guard work != nil else { return "n/a" }
    guard row.budget != nil else { return "-" }
    return isOverBudget ? "over" : "ok"
  }

  private func text(_ value: Double?, digits: Int) -> String {
    value.map { String(format: "%.\(digits)f", $0) } ?? "n/a"
  }
}
