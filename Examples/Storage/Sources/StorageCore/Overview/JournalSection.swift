import ArborPersistence

/// The lines about a journal: its size, and the versions of its actions.
struct JournalSection {
  /// Consecutive steps of the same form.
  private struct Run {
    let first: StorageContents.Step
    var steps = 0
    var actions = 0

    func continues(with step: StorageContents.Step) -> Bool {
      first.version == step.version && first.reducerVersion == step.reducerVersion && first.coding == step.coding
    }
  }

  private var runs: [Run] = []
  private let actions: Int
  private let steps: Int

  init(of steps: [StorageContents.Step]) {
    self.steps = steps.count
    actions = steps.reduce(0) { $0 + $1.actions.count }
    for step in steps {
      if runs.last?.continues(with: step) != true { runs.append(Run(first: step)) }
      runs[runs.count - 1].steps += 1
      runs[runs.count - 1].actions += step.actions.count
    }
  }

  var lines: [String] {
    guard steps > 0 else { return ["no journaled steps"] }
    var table = Table(
      .init(title: "steps", isNumber: true),
      .init(title: "actions", isNumber: true),
      .init(title: "version", isNumber: true),
      .init(title: "reducer", isNumber: true),
      .init(title: "coding")
    )
    for run in runs {
      let form = run.first
      table.add(run.steps.grouped, run.actions.grouped, "\(form.version)", "\(form.reducerVersion)", form.coding)
    }
    let title = "followed by a journal of \(steps.of("step")) with \(actions.of("action")):"
    return [title] + table.lines.map { "  \($0)" }
  }
}
