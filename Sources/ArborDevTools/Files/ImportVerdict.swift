/// A judgement of what an entry of a file is good for in a program.
package enum ImportVerdict<Action> {
  /// The entry can be reduced again: its action.
  case repeatable(Action)

  /// The entry can be looked at, with what it changed, for a reason.
  case shownOnly(String)

  /// The entry is not of this program, for a reason.
  case impossible(String)
}

extension ImportVerdict: Equatable where Action: Equatable {}
extension ImportVerdict: Sendable where Action: Sendable {}

extension RecordingDocument.Entry {
  /// Judges the entry for a program whose root has actions that can be decoded.
  ///
  /// - Parameters:
  ///   - root: The number of the root's store (see ``RecordingDocument/Trailer/root``).
  ///   - encoding: How the values of the file were made.
  package func verdict<Action: Decodable>(
    root: Int?,
    encoding: RecordingDocument.Header.Encoding,
    as type: Action.Type
  ) -> ImportVerdict<Action> {
    if let reason = reasonNotToRepeat(root: root, encoding: encoding) { return .shownOnly(reason) }
    guard let action else { return .shownOnly("The action was not recorded.") }
    do {
      return .repeatable(try action.decoded(as: type))
    } catch let error as DecodingError {
      return .impossible("The action \(name.debugDescription) is no \(type): \(error.sentence)")
    } catch {
      return .impossible("The action \(name.debugDescription) is no \(type): \(error)")
    }
  }

  /// Judges the entry for a program whose root has actions that cannot be decoded.
  package func verdict<Action>(
    root: Int?,
    encoding: RecordingDocument.Header.Encoding,
    of type: Action.Type
  ) -> ImportVerdict<Action> {
    .shownOnly(reasonNotToRepeat(root: root, encoding: encoding) ?? "The type \(type) is not Decodable.")
  }

  private func reasonNotToRepeat(root: Int?, encoding: RecordingDocument.Header.Encoding) -> String? {
    guard !isBarrier else { return "It stands for a change that cannot be repeated." }
    guard store == root else { return "It is an action of another store than the root." }
    guard let action else { return "The action was not recorded." }
    guard !action.hasGaps else { return "A part of the action was redacted or omitted." }
    guard encoding == .codable else { return "The file has descriptions of actions, not the actions." }
    return nil
  }
}

extension RecordedValue {
  /// `true` if a part of the tree was redacted or omitted.
  fileprivate var hasGaps: Bool {
    switch self {
    case .array(let elements): elements.contains { $0.hasGaps }
    case .object(let object):
      if let mark = markedText?.mark { mark != "number" } else { object.members.contains { $0.value.hasGaps } }
    default: false
    }
  }
}

extension DecodingError {
  /// The error in one sentence, with the path to what is wrong.
  fileprivate var sentence: String {
    let context: Context?
    switch self {
    case .typeMismatch(_, let found): context = found
    case .valueNotFound(_, let found): context = found
    case .keyNotFound(_, let found): context = found
    case .dataCorrupted(let found): context = found
    @unknown default: context = nil
    }
    guard let context else { return "\(self)" }
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? context.debugDescription : "At \(path): \(context.debugDescription)"
  }
}
