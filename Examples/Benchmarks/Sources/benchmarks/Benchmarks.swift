import Foundation

/// Measures each claim about speed against a limit in the same process, and prints a table.
@main
struct Benchmarks {
  static let usage = """
    usage: benchmarks [--quick] [FILTER]
      FILTER   run only the rows whose workload contains this text
      --quick  tiny sizes: shows that every row runs, measures nothing
    """

  static func main() {
    var scale = Scale.full
    var filter = ""
    for argument in CommandLine.arguments.dropFirst() {
      switch argument {
      case "--quick": scale = .quick
      case "--help": return print(usage)
      case _ where argument.hasPrefix("-"): fail("unknown option \(argument)\n" + usage)
      case _ where !filter.isEmpty: fail("more than one filter\n" + usage)
      default: filter = argument
      }
    }
    let rows = Row.all.filter { filter.isEmpty || $0.workload.contains(filter) }
    guard !rows.isEmpty else { fail("no workload contains \"\(filter)\"") }

    print("workload", "ns/op (median)", "limit", "ns/op (median)", "ratio", "budget", "ok|over", separator: "\t")
    var over: [String] = []
    for row in rows {
      let result = row.measure(scale)
      print(result.line)
      if result.isOverBudget { over.append(row.workload) }
    }
    let verdict = over.isEmpty ? "all within budget" : "over: " + over.joined(separator: "; ")
    print("\(rows.count) rows, \(scale.runs) runs each after a warm-up, a run the mean of \(scale.rounds); \(verdict)")
  }

  private static func fail(_ message: String) -> Never {
    FileHandle.standardError.write(Data(("benchmarks: " + message + "\n").utf8))
    exit(2)
  }
}
