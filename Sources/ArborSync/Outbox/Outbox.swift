package import Arbor
package import ArborPersistence

/// The place where a client keeps what it knows of its log.
package protocol Outbox: Sendable {
  /// Reads what was kept.
  ///
  /// - Returns: The agreement that was kept, or the given one; the monitors of the store of what is
  ///   known, which keep its changes; and a report.
  func open<State: Codable & Sendable, Action>(
    _ fresh: Agreement<State>,
    _ feature: Feature<Agreement<State>, AgreementAction<State>>,
    _ form: SharedForm<State, Action>
  ) async throws(StorageError) -> (Agreement<State>, [any StoreMonitor], LoadReport)

  /// Opens the note of what is being reduced; nil if the outbox does not outlive the process.
  func openReductionNote() -> ReductionNote?

  /// Keeps all changes that were accepted before this call, as durably as the outbox does.
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
    // Its reducer writes the note of what it reduces, which a second reduction would disturb.
    journal.isChecked = false
    var (agreement, report) = try await load(into: fresh, parts, journal)
    agreement.isUseless = !report.isWhole
    return (agreement, [saving(parts, journal)], report)
  }
}

extension LoadReport {
  /// `true` if the confirmed state and what is known of it are of one moment: both are there, or none is, and no change of
  /// them was left out.
  fileprivate var isWhole: Bool {
    guard journal?.skipped.isEmpty != false else { return false }
    return switch (parts["confirmed"], parts["outbox"]) {
    case (.loaded, .loaded), (.loaded, .migrated), (.migrated, .loaded), (.migrated, .migrated), (.fresh, .fresh): true
    default: false
    }
  }
}
