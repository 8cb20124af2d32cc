/// The entries with actions that follow the parts in the files of a folder, and the entries with the actions' forms.
struct JournaledActions: Sendable {
  private(set) var entries: [LogEntry] = []

  /// The numbers of the entries.
  private(set) var numbers: [UInt64] = []

  /// The last entry with a form, and its number; nil if there is none.
  private var form: (entry: LogEntry, number: UInt64)?
  private var hasActions = false

  /// The names of parts in the entries with forms.
  private var named: Set<String> = []

  /// The names of the parts that the actions may have changed.
  var parts: Set<String> { hasActions ? named : [] }

  mutating func append(_ entry: LogEntry, _ number: UInt64) {
    entries.append(entry)
    numbers.append(number)
    switch entry {
    case .journal(_, let parts):
      form = (entry, number)
      named.formUnion(parts)
    case .actions: hasActions = true
    case .parts: break
    }
  }

  /// Removes the actions if changes contain all parts that these may have changed. The changes are then the results of
  /// the actions, or replace these.
  mutating func remove(replacedBy changes: [PartChange]) {
    guard !parts.isEmpty else { return }
    let values = changes.compactMap { if case .value(let part) = $0 { part.name } else { nil } }
    guard parts.isSubset(of: values) else { return }
    let form = form
    self = JournaledActions()
    if let form { append(form.entry, form.number) }
  }
}
