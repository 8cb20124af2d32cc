/// An action of a file that cannot be reduced again, as the file has it.
///
/// - It is the ``Recording/Entry/action`` of entries whose ``Recording/Entry/importVerdict`` is not
///   ``ImportVerdict/repeatable(_:)``.
public struct FileAction: Sendable, CustomStringConvertible {
  /// The name of the action: `add` of `add(id: 3)`.
  public let name: String

  /// The action as a line of text: `add(id: 3)`.
  public let description: String

  /// The value of the action; nil if the file has none.
  public let value: RecordedValue?

  /// The reason why it cannot be reduced again: one sentence.
  let reason: String

  /// `true` if the action is none of this program.
  let isImpossible: Bool
}

extension Recording.Entry {
  /// The judgement of an action that was read from a file; nil of one that was recorded or performed here.
  public var importVerdict: ImportVerdict<Action>? {
    guard isImported else { return nil }
    guard let action = action as? FileAction else { return rootAction.map { .repeatable($0) } }
    return action.isImpossible ? .impossible(action.reason) : .shownOnly(action.reason)
  }
}

extension Recording.Entry {
  /// `true` if the state after the action is that of a file.
  var isShownFromFile: Bool { if case .file = root { true } else { false } }
}
