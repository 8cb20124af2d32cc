internal import Arbor

/// A judgment of an action in a file: how a program that loads the file can use it.
public enum ImportVerdict<Action> {
  /// The action can be reduced again.
  case repeatable(Action)

  /// The action can only be inspected, together with the changes in the file. The text gives the reason, in one sentence.
  case shownOnly(String)

  /// The action isn't one of this program's. The text gives the reason, in one sentence. The action can also be
  /// inspected.
  case impossible(String)
}

extension ImportVerdict: Equatable where Action: Equatable {}
extension ImportVerdict: Sendable where Action: Sendable {}

extension RecordingDocument.Entry {
  /// Judges the entry for a program.
  ///
  /// - Parameters:
  ///   - root: The number of the root's store (see ``RecordingDocument/Trailer/root``).
  ///   - encoding: The encoding of the file's values.
  ///   - type: The type of the root's actions.
  package func verdict<Action>(
    root: Int?,
    encoding: RecordingDocument.Header.Encoding,
    as type: Action.Type
  ) -> ImportVerdict<Action> {
    if let reason = reasonNotToRepeat(root: root, encoding: encoding) { return .shownOnly(reason) }
    guard let decodable = type as? any Decodable.Type else { return .shownOnly("The type \(type) is not Decodable.") }
    do {
      return .repeatable(try action!.decoded(as: decodable) as! Action)
    } catch {
      let reason = DecodingError.sentence(of: error)
      return .impossible("The action \(name.debugDescription) cannot be decoded as \(type): \(reason)")
    }
  }

  private func reasonNotToRepeat(root: Int?, encoding: RecordingDocument.Header.Encoding) -> String? {
    guard !isBarrier else { return "It represents a change that cannot be repeated." }
    guard store == root else { return "It wasn't dispatched to the root's store." }
    guard let action else { return "The action was not recorded." }
    guard !action.hasGaps else { return "A part of the action was redacted or omitted." }
    guard encoding == .codable else { return "The file contains descriptions of actions, not the actions themselves." }
    switch outcome {
    case .reduced: return nil
    case .replaced: return "An interceptor replaced it, and the file doesn't contain the value of the replacement."
    case .dropped, .held, .revoked: return "It was \(outcome.rawValue): no reducer received it."
    case .failed: return "It failed and changed nothing."
    }
  }
}

extension RecordedValue {
  /// `true` if a part of the tree was redacted or omitted.
  var hasGaps: Bool {
    switch self {
    case .array(let elements): elements.contains { $0.hasGaps }
    case .object(let object):
      if let mark = markedText?.mark { mark != "number" } else { object.members.contains { $0.value.hasGaps } }
    default: false
    }
  }
}

extension DecodingError {
  /// Returns one sentence about a decoding error, with the path to the wrong part.
  static func sentence(of error: any Error) -> String {
    let context = context(of: error)
    let path = context.codingPath.map { $0.intValue.map { "[\($0)]" } ?? ".\($0.stringValue)" }.joined()
    return path.isEmpty ? context.debugDescription : "At \(path): \(context.debugDescription)"
  }

  /// Returns the context of a decoding error; for another error, a context with its description.
  static func context(of error: any Error) -> Context {
    switch error as? DecodingError {
    case .typeMismatch(_, let context), .valueNotFound(_, let context), .keyNotFound(_, let context),
      .dataCorrupted(let context):
      context
    default: Context(codingPath: [], debugDescription: Confidentiality.description(of: error))
    }
  }
}
