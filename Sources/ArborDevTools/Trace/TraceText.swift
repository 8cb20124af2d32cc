internal import Arbor

/// The text of a trace: an array of JSON objects, one a line, of which the end is left open.
///
/// - Times are nanoseconds. What is the same in every event of a kind is written as one piece.
struct TraceText {
  private var text = JSONText()
  private var isFirst = true

  init() {
    text.append("[")
  }

  /// The number of bytes that were added since the last time something was taken.
  var count: Int { text.count }

  /// Takes out what was added since the last time.
  mutating func take() -> String { text.takeText() }

  // MARK: Slices

  /// Adds the step of an action.
  mutating func add(_ action: TracedAction, _ name: String, of store: String, _ process: UInt64) {
    let times = action.times
    begin("\"ph\":\"X\",\"cat\":\"action\"", process, at: times.begun)
    addDuration(times.duration)
    text.add("name", name)
    text.append(",\"args\":{")
    text.add("store", store)
    text.add("number", Int(clamping: action.number))
    text.add("outcome", LoggedOutcome(action.outcome))
    text.add("cause", action.cause.kind)
    text.append(",\"waited_us\":")
    text.append(thousandths: times.waited)
    text.append("}}")
  }

  /// Adds a part of a step.
  mutating func addPart(_ name: StaticString, _ process: UInt64, at time: Int64, _ duration: Int64) {
    begin(name, process, at: time)
    addDuration(duration)
    text.append("}")
  }

  private mutating func addDuration(_ duration: Int64) {
    text.append(",\"dur\":")
    text.append(thousandths: duration)
  }

  // MARK: Other events

  /// Adds an arrow from an action to one that it has caused, which has the number.
  mutating func addArrow(to number: UInt64, _ process: UInt64, from begin: Int64, to end: Int64) {
    addArrowEnd("\"ph\":\"s\",\"cat\":\"cause\",\"name\":\"cause\"", number, process, at: begin)
    addArrowEnd("\"ph\":\"f\",\"bp\":\"e\",\"cat\":\"cause\",\"name\":\"cause\"", number, process, at: end)
  }

  private mutating func addArrowEnd(_ members: StaticString, _ number: UInt64, _ process: UInt64, at time: Int64) {
    begin(members, process, at: time)
    // Two processes of one trace have actions with the same numbers.
    text.append(",\"id\":\"")
    text.append(process)
    text.append(".")
    text.append(number)
    text.append("\"}")
  }

  /// Adds the number of entries that wait.
  mutating func add(waiting count: Int, _ process: UInt64, at time: Int64) {
    begin("\"ph\":\"C\",\"name\":\"mailbox\"", process, at: time)
    addArgument("waiting", count)
  }

  mutating func addInstant(_ name: String, _ category: String, _ process: UInt64, at time: Int64) {
    begin("\"ph\":\"i\",\"s\":\"t\"", process, at: time)
    text.add("cat", category)
    text.add("name", name)
    text.append("}")
  }

  /// Says that events are missing.
  mutating func addGap(_ count: Int, _ process: UInt64, at time: Int64) {
    begin("\"ph\":\"i\",\"s\":\"g\",\"cat\":\"trace\",\"name\":\"dropped\"", process, at: time)
    addArgument("events", count)
  }

  /// Adds the beginning of a task, or its end with an outcome.
  mutating func addTask(_ name: String, _ id: UInt64, _ process: UInt64, at time: Int64, _ outcome: String?) {
    begin(outcome == nil ? "\"ph\":\"b\",\"cat\":\"task\"" : "\"ph\":\"e\",\"cat\":\"task\"", process, at: time)
    text.append(",\"id\":\"")
    text.append(id)
    text.append("\"")
    text.add("name", name)
    if let outcome { addArgument("outcome", outcome) } else { text.append("}") }
  }

  /// Adds the names of a process and of its thread.
  mutating func addProcess(_ process: UInt64, _ name: String) {
    for (member, name) in [("process_name", name), ("thread_name", "store queue")] {
      begin("\"ph\":\"M\"", process, at: 0)
      text.add("name", member)
      addArgument("name", name)
    }
  }

  // MARK: Members

  /// Begins an event with members of its own, and those that every event has.
  private mutating func begin(_ members: StaticString, _ process: UInt64, at time: Int64) {
    text.append(isFirst ? "\n{" : ",\n{")
    isFirst = false
    text.append(members)
    text.append(",\"tid\":1,\"pid\":")
    text.append(process)
    text.append(",\"ts\":")
    text.append(thousandths: time)
  }

  /// Ends an event with its only argument.
  private mutating func addArgument(_ name: StaticString, _ value: some DocumentValue) {
    text.append(",\"args\":{")
    text.add(name, value)
    text.append("}}")
  }
}
