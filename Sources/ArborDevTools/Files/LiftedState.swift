/// Redux' lifted state, the form in which its tools export and import a history.
///
/// ```json
/// {"monitorState":{},"nextActionId":2,"actionsById":{"0":{"type":"PERFORM_ACTION","action":{"type":"@@INIT"},"timestamp":0},…
/// ```
///
/// - The action 0 is `@@INIT`, with the base as its state; those of the recording have the numbers from 1 on.
/// - An action is an object with its name as `type` beside its own keys. One that is no object, or has a key `type` of its own, stands
///   whole under `payload`.
/// - A key `$jsan`, which means something else to those tools, gets a `$` more, as does one that already has more. Marks of a recording
///   stay as they are.
package enum LiftedState {
  /// An action of the history.
  package struct Action: Sendable {
    package var name: String

    /// The action's value; nil if there is none.
    package var value: RecordedValue?

    /// The time in milliseconds since 1970.
    package var timestamp: Int64
    package var isSkipped: Bool

    package init(name: String, value: RecordedValue?, timestamp: Int64, isSkipped: Bool = false) {
      self.name = name
      self.value = value
      self.timestamp = timestamp
      self.isSkipped = isSkipped
    }
  }

  /// A history that cannot be exported.
  package enum Failure: Error, Equatable {
    case actionsAndStates(Int, Int)
    case position(Int, of: Int)
  }

  /// Writes a history piece by piece.
  ///
  /// - Keeps neither actions nor states: sequences that make their elements when they are asked for need no memory.
  /// - Parameters:
  ///   - base: The state before the first action.
  ///   - began: The time of it, in milliseconds since 1970.
  ///   - actions: The actions in their order.
  ///   - states: The state after each action. That of a skipped one is the state before it.
  ///   - position: Behind how many actions the history is.
  ///   - sink: Takes the next bytes.
  /// - Throws: ``Failure``, and what the sink throws.
  package static func write(
    base: RecordedValue,
    began: Int64,
    actions: some Sequence<Action>,
    states: some Sequence<RecordedValue>,
    position: Int,
    to sink: (_ bytes: [UInt8]) throws -> Void
  ) throws {
    var writer = LiftedStateWriter()
    writer.begin(at: began)
    for action in actions {
      writer.append(action)
      try writer.handOn(atLeast: LiftedStateWriter.piece, to: sink)
    }
    guard 0...writer.count ~= position else { throw Failure.position(position, of: writer.count) }
    writer.endActions(base: base, position: position)
    var count = 0
    for state in states {
      count += 1
      writer.append(state: state)
      try writer.handOn(atLeast: LiftedStateWriter.piece, to: sink)
    }
    guard count == writer.count else { throw Failure.actionsAndStates(writer.count, count) }
    writer.end()
    try writer.handOn(atLeast: 0, to: sink)
  }
}

/// The text of a lifted state, as far as it was not handed on.
private struct LiftedStateWriter {
  /// So many bytes are handed on at once.
  static let piece = 1 << 16

  private var text = JSONText()
  private var skipped: [Int] = []

  /// The number of actions that were written, without `@@INIT`, the first one.
  private(set) var count = 0

  mutating func handOn(atLeast size: Int, to sink: ([UInt8]) throws -> Void) throws {
    guard text.count >= size else { return }
    try sink(text.take())
  }

  mutating func begin(at time: Int64) {
    text.append("{\"monitorState\":{},\"isLocked\":false,\"isPaused\":false,\"actionsById\":{")
    append(action: .object(RecordedObject([.init("type", .string("@@INIT"))])), at: time)
  }

  mutating func append(_ action: LiftedState.Action) {
    count += 1
    if action.isSkipped { skipped.append(count) }
    text.append(",\n")
    append(action: LiftedStateWriter.object(of: action).withEscapedCodecKeys, at: action.timestamp)
  }

  private mutating func append(action: RecordedValue, at time: Int64) {
    text.append(quoted: "\(count)")
    text.append(":{\"type\":\"PERFORM_ACTION\",\"action\":")
    text.append(action)
    text.append(",\"timestamp\":")
    text.append(time)
    text.append("}")
  }

  private static func object(of action: LiftedState.Action) -> RecordedValue {
    let type = RecordedObject.Member("type", .string(action.name))
    switch action.value {
    case nil: return .object(RecordedObject([type]))
    case .object(let object)? where object.place(of: "type") == nil && action.value?.markedText == nil:
      return .object(RecordedObject([type] + object.members))
    case let value?: return .object(RecordedObject([type, .init("payload", value)]))
    }
  }

  mutating func endActions(base: RecordedValue, position: Int) {
    text.append("},\"nextActionId\":")
    text.append(count + 1)
    text.append(",\"stagedActionIds\":")
    append(Array(0...count))
    text.append(",\"skippedActionIds\":")
    append(skipped)
    text.append(",\"currentStateIndex\":")
    text.append(position)
    let base = base.withEscapedCodecKeys
    text.append(",\"committedState\":")
    text.append(base)
    text.append(",\"computedStates\":[{\"state\":")
    text.append(base)
    text.append("}")
  }

  private mutating func append(_ numbers: [Int]) {
    text.append("[")
    for (index, number) in numbers.enumerated() {
      if index > 0 { text.append(",") }
      text.append(number)
    }
    text.append("]")
  }

  mutating func append(state: RecordedValue) {
    text.append(",\n{\"state\":")
    text.append(state.withEscapedCodecKeys)
    text.append("}")
  }

  mutating func end() {
    text.append("]}\n")
  }
}

extension RecordedValue {
  /// The tree with a `$` more in each key `$jsan`, and in those that already have more.
  fileprivate var withEscapedCodecKeys: RecordedValue {
    switch self {
    case .array(let elements): .array(elements.map(\.withEscapedCodecKeys))
    case .object(let object):
      .object(
        RecordedObject(
          object.members.map { .init(RecordedValue.escaped($0.key, from: "$jsan"), $0.value.withEscapedCodecKeys) }
        ))
    default: self
    }
  }
}
