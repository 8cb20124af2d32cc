import ArborPersistence

/// Says in sentences what was not as it was written.
///
/// - Parameter keptFiles: The files in which that is kept.
func notes(on findings: [FolderFinding], keptIn keptFiles: [String]) -> [String] {
  var notes: [String] = []
  if findings.contains(where: { !$0.isDamage }) { notes.append("dropped an unfinished change") }
  if findings.contains(where: \.isDamage) || !keptFiles.isEmpty {
    let kept = keptFiles.isEmpty ? "" : "; it is kept in \(keptFiles.joined(separator: ", "))"
    notes.append("some of it is damaged or missing, and left out\(kept)")
  }
  return notes
}
