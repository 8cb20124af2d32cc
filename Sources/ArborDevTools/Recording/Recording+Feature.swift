public import Arbor
public import Foundation

extension Recording {
  /// Makes a recording without actions, which a feature's reducers reduce.
  ///
  /// ```swift
  /// let app = todos.withHistory().scoped(to: \.todos, action: AppAction.todos, extract: \.todos)
  /// var recording = Recording(initialState: AppState(), feature: app)
  /// ```
  ///
  /// - The reducers of all features of which it consists are called, each on its part of the state. Interceptors and
  ///   effects are not.
  /// - Otherwise like ``init(initialState:checkpointInterval:reducer:)``.
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two states that are kept; less than 1 counts as 1.
  ///   - feature: The feature of the root. One without reducers changes nothing.
  public init(initialState: State, checkpointInterval: Int = 32, feature: Feature<State, Action>) {
    self.init(
      initialState: initialState, checkpointInterval: checkpointInterval, reducer: feature.makeReducerBesideTree())
  }
}

extension Recording where Action == Mutation<State> {
  /// Makes a recording without commits, which makes each and then calls the feature's middleware.
  ///
  /// - A commit that fails changes nothing.
  /// - Otherwise like ``init(initialState:checkpointInterval:reducer:)``.
  /// - Parameters:
  ///   - initialState: The state at the beginning.
  ///   - checkpointInterval: The number of actions between two states that are kept; less than 1 counts as 1.
  ///   - feature: The feature of the root. One without middleware changes nothing beside the commits.
  public init(initialState: State, checkpointInterval: Int = 32, feature: Feature<State, Mutation<State>>) {
    self.init(
      initialState: initialState,
      checkpointInterval: checkpointInterval,
      reducer: feature.applyingCommits.makeReducerBesideTree()
    )
  }
}

extension Recording where State: Decodable, Action: Decodable {
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
  /// - Throws: ``RecordingFileError`` if the file cannot be read, or is damaged and nobody is to be told.
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
