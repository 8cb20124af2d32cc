extension StateEffect where Action == Mutation<State> {
  /// Declares the effect of one job in the state of a commit store. Its errors retry or fail the job.
  ///
  /// ```swift
  /// StateEffect(at: \.upload) { state in
  ///   .run { [file = state.file] commit in
  ///     try await server.send(file)
  ///     commit(Mutation { $0.upload.succeed() })
  ///   }
  /// }
  /// ```
  ///
  /// - If a task of the effect throws an error, the error is committed with `retryOrFail(_:)`. That begins the next
  ///   attempt, or fails the job, and ``JobState/reason`` then contains the reason.
  /// - The commit is a mutation like any other. It is revoked if the state leaves the attempt first.
  /// - Parameters:
  ///   - job: The key path of the job's status.
  ///   - name: The name of the mutations for errors; by default the name of the enclosing function.
  ///   - fileID: The file of the call.
  ///   - line: The line of the call.
  ///   - effect: Makes the effect of one attempt.
  public init(
    at job: any WritableKeyPath<State, JobState> & Sendable,
    named name: StaticString = #function,
    fileID: StaticString = #fileID,
    line: UInt = #line,
    effect: @escaping @Sendable (_ state: State) -> Effect<Action>
  ) {
    let read = StatePart(job)
    self.init(
      { state in read(state) },
      failure: { error in
        Mutation(named: name, fileID: fileID, line: line) { state in state[keyPath: job].retryOrFail(error) }
      }, fileID: fileID, line: line, effect: effect)
  }
}
