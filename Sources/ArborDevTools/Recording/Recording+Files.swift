public import Arbor
public import Foundation

extension Recording {
  /// Writes the recording to a file.
  ///
  /// You can inspect the file and, if states and actions are `Codable`, load it
  /// (``init(contentsOf:checkpointInterval:onDamage:reducer:)``).
  ///
  /// - The format is `.arbor.json`, with one entry per line. If the state or the action isn't `Encodable`, the file
  ///   contains their stored properties instead.
  /// - The file is replaced when the new one is complete, and keeps its permissions. A new file can only be read and
  ///   written by the user of this process. A folder, a link or a device isn't replaced.
  /// - Entries are written one by one, and each action is reduced again.
  /// - Each ``/Arbor/History`` is written with its past and its future, so that a loaded recording can undo recorded
  ///   changes. They are left out if a redaction replaces parts of states or actions, because the past would still
  ///   contain these.
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The name of the program. If it is nil, the name in the file from which the recording was read is used, or
  ///     the type of the state.
  ///   - metrics: The ``MetricsMonitor/report`` of a monitor, for the page's charts. Its keys are written as they are,
  ///     without redaction. If it is nil, the metrics of the file from which the recording was read are used.
  ///   - redactions: Additional rules for data that the file must not show, applied after the ``redactions``. If there
  ///     are any rules, data from a file that couldn't be decoded is redacted completely. That file's name and metrics
  ///     aren't written, because rules can't be applied to them.
  /// - Throws: ``RecordingFileError`` if the file can't be written.
  public func write(
    to file: URL,
    named name: String? = nil,
    metrics: MetricsReport? = nil,
    redacting redactions: [Redaction<State, Action>] = []
  ) throws {
    var documents = RecordingDocuments(self, named: name, redactions)
    try RecordingFileWriter(documents.header, to: file).write(&documents, metrics)
  }

  /// Writes a page that shows the recording in a browser: a single, self-contained HTML file.
  ///
  /// - It shows the actions by their causes, the changes of each action, the states, the stores, the tasks and the times.
  ///   It opens from disk, and never uses the network.
  /// - The file is replaced when the new one is complete, and keeps its permissions.
  /// - Parameters:
  ///   - file: The file of the page.
  ///   - name: The name of the program. If it is nil, the name in the file from which the recording was read is used, or
  ///     the type of the state.
  ///   - metrics: The ``MetricsMonitor/report`` of a monitor, for the charts. If it is nil, the metrics of the file from
  ///     which the recording was read are used.
  ///   - redactions: Additional rules for data that the page must not show, applied after the ``redactions``.
  /// - Throws: The error of the file system if the page can't be written; then the file is unchanged.
  public func writePage(
    to file: URL,
    named name: String? = nil,
    metrics: MetricsReport? = nil,
    redacting redactions: [Redaction<State, Action>] = []
  ) throws {
    let unfinished = try UnfinishedFile(for: file)
    var page = try RecordingPage<any Error> { bytes throws(any Error) in try unfinished.write(Array(bytes)) }
    var documents = RecordingDocuments(self, named: name, redactions)
    try RecordingFileWriter(documents.header) { bytes in try page.write(json: bytes) }.write(&documents, metrics)
    try page.finish()
    try unfinished.finish()
  }

  /// Writes the root's actions and states in the form that Redux's tools import: its lifted state, one JSON object.
  ///
  /// - Each action is the one that the root reduced or, if it reduced none, the dispatched one.
  /// - The file is replaced when the new one is complete, and keeps its permissions.
  /// - Parameters:
  ///   - file: The file.
  ///   - redactions: Additional rules for data that the file must not show, applied after the ``redactions``.
  /// - Throws: The error of the file system if the file can't be written; then it is unchanged.
  public func writeLiftedState(to file: URL, redacting redactions: [Redaction<State, Action>] = []) throws {
    let unfinished = try UnfinishedFile(for: file)
    let documents = RecordingDocuments(self, named: "", redactions)
    let start = Int64((began.timeIntervalSince1970 * 1000).rounded())
    try LiftedState.write(
      base: documents.rootTree(of: base),
      began: start,
      actions: entries.lazy.map { documents.liftedAction($0, began: start) },
      states: sequence(state: (base, 0)) { next in
        guard next.1 < count else { return nil }
        reduce(self[entryAt: next.1], &next.0)
        next.1 += 1
        return documents.rootTree(of: next.0)
      },
      position: position
    ) { bytes in try unfinished.write(bytes) }
    try unfinished.finish()
  }
}

extension Recording where State: Decodable, Action: Decodable {
  /// Reads a recording from a file that was written by ``write(to:named:metrics:redacting:)``.
  ///
  /// ```swift
  /// var recording = try Recording<AppState, AppAction>(contentsOf: file, reducer: appReducer)
  /// try recording.jump(to: 17)
  /// ```
  ///
  /// - Each action gets a verdict (``Entry/importVerdict``). The root's actions that can be decoded are reduced again, so
  ///   you can toggle and move them like any others.
  /// - All other actions are only shown: actions of stores below the root, commits with a waiting caller, actions that
  ///   were replaced, redacted or omitted, and actions of another program. After them, the recording shows the states
  ///   in the file, even if you change earlier actions. Their ``Entry/action`` is a ``FileAction``.
  /// - Stores below the root show the states in the file: ``state(of:at:)`` returns a ``RecordedValue``.
  /// - **Cost.** The file is read entry by entry. Decoded actions need as much memory as performed ones. For all others,
  ///   their changes in the file are kept.
  /// - Parameters:
  ///   - file: The file.
  ///   - checkpointInterval: The number of actions between two kept states.
  ///   - onDamage: Called with the error if the file is damaged after its header, for example truncated. The recording
  ///     then has the actions before the damage. If this is nil, a damaged file isn't read.
  ///   - reducer: The reducer of the root.
  /// - Throws: ``RecordingFileError`` if the file isn't a recording, is damaged, has a newer version, or has states and
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

  /// Reads a recording with a reader whose file is already open.
  package init(
    _ reader: RecordingFileReader,
    checkpointInterval: Int = 32,
    onDamage: ((RecordingFileError) -> Void)? = nil,
    reducer: @escaping Reducer<State, Action>
  ) throws(RecordingFileError) {
    self = try RecordingImport(reader, checkpointInterval: checkpointInterval, reducer: reducer)
      .finished(onDamage: onDamage)
  }

  /// Reads a recording from a file, and reduces its actions again with the reducers of a feature.
  ///
  /// ```swift
  /// var recording = try Recording(contentsOf: file, feature: app)
  /// ```
  ///
  /// - The file must have been written by ``write(to:named:metrics:redacting:)``.
  /// - The reducers of the feature and its parts are called, each for its part of the state. Interceptors and effects
  ///   aren't.
  /// - Parameters:
  ///   - file: The file.
  ///   - checkpointInterval: The number of actions between two kept states; less than 1 counts as 1.
  ///   - onDamage: Called with the error if the file is damaged after its header. The recording then has the actions
  ///     before the damage. If this is nil, a damaged file isn't read.
  ///   - feature: The feature of the root. A feature without reducers changes nothing.
  /// - Throws: ``RecordingFileError`` if the file can't be read, or if it is damaged and `onDamage` is nil.
  public init(
    contentsOf file: URL,
    checkpointInterval: Int = 32,
    onDamage: ((RecordingFileError) -> Void)? = nil,
    feature: Feature<State, Action>
  ) throws(RecordingFileError) {
    try self.init(
      contentsOf: file,
      checkpointInterval: checkpointInterval,
      onDamage: onDamage,
      reducer: feature.makeReducerBesideTree()
    )
  }
}

extension RecordingFileWriter {
  fileprivate func write<State, Action>(
    _ documents: inout RecordingDocuments<State, Action>,
    _ metrics: MetricsReport?
  ) throws(RecordingFileError) {
    while let entry = documents.next() { try append(entry) }
    try finish(documents.trailer(metrics: metrics))
  }
}

/// The data of the file from which a recording was read that has no other place in the recording.
struct RecordingSource: Sendable {
  /// The name of the program.
  let name: String

  /// The number of actions that were part of the file's base.
  var omitted = 0

  /// The metrics in the file; nil if it has none.
  var metrics: RecordedValue?
}
