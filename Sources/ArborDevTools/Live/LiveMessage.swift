/// The messages to a browser, each a line of JSON.
enum LiveMessage {
  /// A whole recording, from the entry at which the documents begin.
  static func recording<State, Action>(
    _ documents: inout RecordingDocuments<State, Action>,
    _ news: LiveNews<State, Action>
  ) -> [UInt8] {
    var text = JSONText()
    text.append("{\"kind\":\"recording\",\"recording\":")
    text.append(documents.header)
    appendEntries(of: &documents, to: &text)
    var trailer = documents.trailer()
    trailer.tasks = news.tasks.map { documents.task(of: $0) }
    text.append(trailer)
    appendPlace(news.moment, to: &text)
    text.append("}")
    return text.bytes
  }

  /// The entries that follow what a browser has, with the stores and tasks that are new or have changed.
  static func entries<State, Action>(
    _ documents: inout RecordingDocuments<State, Action>,
    _ news: LiveNews<State, Action>,
    _ stores: [RecordedChild]
  ) -> [UInt8] {
    var text = JSONText()
    text.append("{\"kind\":\"entries\",\"entries\":[")
    appendEntries(of: &documents, to: &text)
    text.append("],\"stores\":")
    text.appendList(stores) { $0.append(documents.store(of: $1)) }
    text.append(",\"tasks\":")
    text.appendList(news.tasks) { $0.append(documents.task(of: $1)) }
    appendPlace(news.moment, to: &text)
    text.append("}")
    return text.bytes
  }

  /// The position of the program, and the number of actions that wait while it shows another moment.
  static func position(_ moment: LiveMoment) -> [UInt8] {
    var text = JSONText()
    text.append("{\"kind\":\"position\"")
    appendPlace(moment, to: &text)
    text.append(moment.isTravelling ? ",\"isTravelling\":true" : ",\"isTravelling\":false")
    text.append(",\"held\":")
    text.append(moment.held)
    text.append("}")
    return text.bytes
  }

  /// The number of entries that a browser will not get.
  static func skipped(_ count: Int) -> [UInt8] {
    var text = JSONText()
    text.append("{\"kind\":\"skipped\",\"count\":")
    text.append(count)
    text.append("}")
    return text.bytes
  }

  private static func appendEntries<State, Action>(
    of documents: inout RecordingDocuments<State, Action>,
    to text: inout JSONText
  ) {
    var isFirst = true
    while let entry = documents.next() {
      if !isFirst { text.append(",") }
      isFirst = false
      text.append(entry)
    }
  }

  /// Writes the position by the program's own count, and how many entries it does not count any more.
  private static func appendPlace(_ moment: LiveMoment, to text: inout JSONText) {
    text.append(",\"position\":")
    text.append(moment.position)
    text.append(",\"omitted\":")
    text.append(moment.firstPlace)
  }
}
