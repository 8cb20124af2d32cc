public import Arbor
public import Foundation

extension Recording where State: Decodable, Action: Decodable {
  /// Reads a recording from a file that ``write(to:named:metrics:redacting:)`` has written.
  ///
  /// ```swift
  /// var recording = try Recording<AppState, AppAction>(contentsOf: file, reducer: appReducer)
  /// try recording.jump(to: 17)
  /// ```
  ///
  /// - Each action is judged (``Entry/importVerdict``). Those of the root that can be decoded are reduced again by the
  ///   reducer: they can be toggled and moved as any.
  /// - All others are shown: actions of the stores below the root, commits that a caller has waited for, actions that
  ///   were replaced, redacted or omitted, and such that are none of this program. Behind them, the states are those of
  ///   the file, whatever is changed before. The ``Entry/action`` is a ``FileAction``.
  /// - The states of the stores below the root are those of the file: ``state(of:at:)`` gives a ``RecordedValue``.
  /// - **Cost.** The file is read entry by entry. Of actions that can be decoded nothing else is kept than of those that
  ///   are performed; of all others what the file says that they have changed.
  /// - Parameters:
  ///   - file: The file.
  ///   - checkpointInterval: The number of actions between two states that are kept.
  ///   - onDamage: Called with the error if the file is damaged behind its header, as one that was cut off: then the
  ///     recording has the actions before that. If it is nil, such a file is not read.
  ///   - reducer: The reducer of the root.
  /// - Throws: ``RecordingFileError`` if the file is no recording, is damaged, is of a newer version, or has states and
  ///   actions of other types, by their names or by their values.
  public init(
    contentsOf file: URL,
    checkpointInterval: Int = 32,
    onDamage: ((RecordingFileError) -> Void)? = nil,
    reducer: @escaping Reducer<State, Action>
  ) throws(RecordingFileError) {
    self = try RecordingImport(RecordingFileReader(file), checkpointInterval: checkpointInterval, reducer: reducer)
      .finished(onDamage: onDamage)
  }

  /// The same of a file that is open.
  package init(
    _ reader: RecordingFileReader,
    checkpointInterval: Int = 32,
    onDamage: ((RecordingFileError) -> Void)? = nil,
    reducer: @escaping Reducer<State, Action>
  ) throws(RecordingFileError) {
    self = try RecordingImport(reader, checkpointInterval: checkpointInterval, reducer: reducer)
      .finished(onDamage: onDamage)
  }
}
