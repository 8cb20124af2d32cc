import ArborPersistence
import Foundation

/// The content of a storage as lines of JSON: one for each part, and then one for each action of the journal.
///
/// - Each line is valid JSON for any bytes: a value that is not JSON is written as `bytes`, in base64.
struct Export {
  private let contents: StorageContents

  init(of contents: StorageContents) {
    self.contents = contents
  }

  /// Writes the lines, and the findings to standard error.
  ///
  /// - Returns: ``Status/findings`` if an acknowledged change is missing.
  func write(to output: inout Output, _ streams: Streams) throws(Output.Failure) -> Status {
    for part in contents.parts { try output.addLine { $0.append(line: part) } }
    for (index, step) in contents.steps.enumerated() {
      for (action, text) in zip(step.actions, step.texts) {
        try output.addLine { $0.append(line: action, text, of: step, number: index + 1) }
      }
    }
    try output.flush()
    for finding in contents.findings { streams.complain("\(finding)") }
    return contents.findings.contains { $0.isDamage } ? .findings : .fine
  }
}

extension [UInt8] {
  fileprivate mutating func append(line part: StorageContents.Part) {
    append(raw: #"{"part":"#)
    append(json: part.name)
    append(raw: #","version":"#)
    append(json: part.version)
    append(raw: #","coding":"#)
    append(json: part.coding)
    append(raw: ",")
    append(member: "value", part.bytes, part.text)
    append(raw: ",")
    append(differencesOf: part)
    append(raw: "}")
  }

  fileprivate mutating func append(
    line action: Data,
    _ text: String?,
    of step: StorageContents.Step,
    number: Int
  ) {
    append(raw: #"{"step":"#)
    append(json: number)
    append(raw: #","version":"#)
    append(json: step.version)
    append(raw: #","reducerVersion":"#)
    append(json: step.reducerVersion)
    append(raw: #","coding":"#)
    append(json: step.coding)
    append(raw: ",")
    append(member: "action", action, text)
    append(raw: "}")
  }

  /// Appends a value under its name if it is JSON; otherwise its bytes under the name `bytes`.
  private mutating func append(member name: StaticString, _ data: Data, _ text: String?) {
    if let json = text.flatMap(JSONCopy.bytes) {
      append(raw: "\"")
      append(raw: name)
      append(raw: "\":")
      append(contentsOf: json)
    } else {
      append(raw: #""bytes":"#)
      append(base64: data)
    }
  }

  /// Appends all differences as JSON; otherwise the bytes of all under the name `differenceBytes`.
  private mutating func append(differencesOf part: StorageContents.Part) {
    let values = part.differenceTexts.compactMap { $0.flatMap(JSONCopy.bytes) }
    if values.count == part.differences.count {
      append(raw: #""differences":["#)
      append(list: values) { $0.append(contentsOf: $1) }
    } else {
      append(raw: #""differenceBytes":["#)
      append(list: part.differences) { $0.append(base64: $1) }
    }
    append(raw: "]")
  }

  private mutating func append<Item>(list: [Item], _ body: (inout Self, Item) -> Void) {
    for (index, item) in list.enumerated() {
      if index > 0 { append(raw: ",") }
      body(&self, item)
    }
  }

  private mutating func append(base64 data: Data) {
    append(raw: "\"")
    append(contentsOf: data.base64EncodedData())
    append(raw: "\"")
  }
}
