/// The reason why an import failed.
struct ImportFailure: Identifiable, Equatable, Sendable {
  let reason: String

  var id: String { reason }
}
