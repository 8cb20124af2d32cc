package import Arbor
package import ArborPersistence

/// The storage of a client's knowledge of its log.
package protocol Outbox: Sendable {
  /// Loads the stored knowledge.
  ///
  /// - Returns: The stored agreement, or the given one if there is none; the monitors that store the changes of the agreement's
  ///   store; and a report.
  func open<State: Codable & Sendable, Action>(
    _ fresh: Agreement<State>,
    _ feature: Feature<Agreement<State>, AgreementAction<State>>,
    _ form: SharedForm<State, Action>
  ) async throws(StorageError) -> (Agreement<State>, [any StoreMonitor], LoadReport)

  /// Opens the note of the action being reduced; nil if the outbox doesn't outlive the process.
  func openReductionNote() -> ReductionNote?

  /// Stores all changes that were accepted before this call, as durably as the outbox can.
  func flush() async throws(StorageError)
}

extension Outbox {
  package func openReductionNote() -> ReductionNote? { nil }
}

extension Storage: Outbox {
  package func openReductionNote() -> ReductionNote? { ReductionNote.open(in: self) }

  package func open<State: Codable & Sendable, Action>(
    _ fresh: Agreement<State>,
    _ feature: Feature<Agreement<State>, AgreementAction<State>>,
    _ form: SharedForm<State, Action>
  ) async throws(StorageError) -> (Agreement<State>, [any StoreMonitor], LoadReport) {
    let parts = [
      Persisted(
        \Agreement<State>.confirmed,
        as: "confirmed",
        version: form.stateVersion,
        migrations: form.declaredMigrations,
        coding: form.coding
      ),
      Persisted(\Agreement<State>.progress, as: "outbox", coding: .binary),
    ]
    var journal = Journal(
      of: feature,
      action: { AgreementAction.kept($0) },
      extract: \.change,
      coding: .binary
    )
    // The reducer notes the action that it reduces, and a second reduction would disturb the note.
    journal.isChecked = false
    var (agreement, report) = try await load(into: fresh, parts, journal)
    agreement.isUseless = !report.isWhole
    return (agreement, [saving(parts, journal)], report)
  }
}

extension LoadReport {
  /// `true` if the confirmed state and the progress belong to the same moment: both were loaded, or neither, and no change was
  /// left out.
  fileprivate var isWhole: Bool {
    guard journal?.skipped.isEmpty != false else { return false }
    return switch (parts["confirmed"], parts["outbox"]) {
    case (.loaded, .loaded), (.loaded, .migrated), (.migrated, .loaded), (.migrated, .migrated), (.fresh, .fresh): true
    default: false
    }
  }
}
