/// The whole program: reads its arguments, and runs a command.
public enum Program {
  /// Runs the program, and returns its exit status.
  public static func run(arguments: [String]) -> Int32 {
    StandardStream.ignoreClosedPipes()
    return run(arguments, .standard).rawValue
  }

  static func run(_ arguments: [String], _ streams: Streams) -> Status {
    var output = Output(write: streams.output)
    do {
      let status = try run(arguments, streams, &output)
      try output.flush()
      return status
    } catch Output.Failure.closed {
      // The reader has seen enough.
      return .fine
    } catch {
      // A repair may have reported some work before the failure.
      try? output.flush()
      streams.complain("\(error)")
      return .failed
    }
  }

  private static func run(_ arguments: [String], _ streams: Streams, _ output: inout Output) throws -> Status {
    let invocation: Invocation
    do {
      invocation = try Invocation(arguments)
    } catch {
      streams.complain("\(error)")
      streams.error("\(Invocation.usage)\n")
      return .failed
    }
    guard case .command(let command, let folder) = invocation else {
      for line in Invocation.overview.split(separator: "\n", omittingEmptySubsequences: false) {
        try output.add(line: String(line))
      }
      return .fine
    }
    let contents = try FolderReader(streams).read(folder)
    switch command {
    case .inspect:
      for line in Overview(of: contents, in: folder).lines { try output.add(line: line) }
      return .fine
    case .export: return try Export(of: contents).write(to: &output, streams)
    case .verify: return try Verification(of: contents).write(to: &output)
    case .repair: return try Repair(of: contents, in: folder).run(&output)
    }
  }
}
