public import Arbor
public import Foundation

extension Recording {
  /// Writes the recording to a file, from which it can be looked at, and loaded where states and actions are `Codable`
  /// (``init(contentsOf:checkpointInterval:onDamage:reducer:)``).
  ///
  /// - The format is that of `.arbor.json`, an entry a line. Where the state or the action is not `Encodable`, what the
  ///   file has of them is made by reflection.
  /// - The file is there when it is whole: an older one stays until then, and its rights are kept. Without one, only the
  ///   user of this process may read and write the file. A folder, a link or a device is not replaced. Entries are written one by one, and each action
  ///   is reduced again.
  /// - Each ``/Arbor/History`` is written with its past and its future, so that a loaded recording undoes what was
  ///   recorded. It is written without them where a redaction replaces parts of states or actions, which would be in
  ///   its past as they were.
  /// - Parameters:
  ///   - file: The file.
  ///   - name: The name of the program; without one that of the file from which the recording was read, or the type of
  ///     the state.
  ///   - metrics: The ``MetricsMonitor/report`` of a monitor, for the page's charts. Its keys are written as they are: no
  ///     redaction looks into them. Without one, the file has the measurements of the file from which the recording was
  ///     read.
  ///   - redactions: More rules for what the file does not show, beside the ``redactions``. With any rule, what was read
  ///     from a file and could not be decoded is redacted whole, and neither the name nor the measurements of that file
  ///     are written: the rules cannot tell what is in them.
  /// - Throws: ``RecordingFileError`` if the file cannot be written.
  public func write(
    to file: URL,
    named name: String? = nil,
    metrics: MetricsReport? = nil,
    redacting redactions: [Redaction<State, Action>] = []
  ) throws {
    var documents = RecordingDocuments(self, named: name, redactions)
    try RecordingFileWriter(documents.header, to: file).write(&documents, metrics)
  }

  /// Writes a page on which the recording is looked at in a browser: one HTML file, which needs nothing else.
  ///
  /// - It shows the actions by what has caused them, what each has changed, the states, the stores, the tasks and the
  ///   times. It opens from the disk, and asks nothing of the network.
  /// - Otherwise like ``write(to:named:metrics:redacting:)``.
  /// - Parameters:
  ///   - file: The file of the page.
  ///   - name: The name of the program; nil for that of the file from which the recording was read, or the type of the
  ///     state.
  ///   - metrics: The ``MetricsMonitor/report`` of a monitor, for the charts; nil for the measurements of the file from
  ///     which the recording was read.
  ///   - redactions: More rules for what the page does not show, beside the ``redactions``.
  /// - Throws: The error of the file system if the page cannot be written. Then the file is as before.
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

  /// Writes the root's actions and states as Redux' tools import them: its lifted state, one JSON object.
  ///
  /// - Each action is the one that the root has reduced, or where it has reduced none, the one that was dispatched.
  /// - Otherwise like ``write(to:named:metrics:redacting:)``.
  /// - Parameters:
  ///   - file: The file.
  ///   - redactions: More rules for what the file does not show, beside the ``redactions``.
  /// - Throws: The error of the file system if the file cannot be written. Then it is as before.
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

  /// Reads a recording from a file that ``write(to:named:metrics:redacting:)`` has written, and whose actions a feature's
  /// reducers reduce again.
  ///
  /// ```swift
  /// var recording = try Recording(contentsOf: file, feature: app)
  /// ```
  ///
  /// - The reducers of all features of which it consists are called, each on its part of the state. Interceptors and
  ///   effects are not.
  /// - Otherwise like ``init(contentsOf:checkpointInterval:onDamage:reducer:)``.
  /// - Parameters:
  ///   - file: The file.
  ///   - checkpointInterval: The number of actions between two states that are kept; less than 1 counts as 1.
  ///   - onDamage: Called with the error if the file is damaged behind its header: then the recording has the actions
  ///     before that. If it is nil, such a file is not read.
  ///   - feature: The feature of the root. One without reducers changes nothing.
  /// - Throws: ``RecordingFileError`` if the file cannot be read, or is damaged and no closure receives the damage.
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

/// The file from which a recording was read, so far as the recording says nothing else about it.
struct RecordingSource: Sendable {
  /// The name of the program.
  let name: String

  /// The number of actions that were part of the file's base.
  var omitted = 0

  /// The measurements that the file has; nil if it has none.
  var metrics: RecordedValue?
}
