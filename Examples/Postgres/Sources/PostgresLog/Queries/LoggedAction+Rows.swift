internal import ArborSync

extension LoggedAction {
  /// Reads the action in a row; nil if the row only describes the log.
  init?(_ rows: PostgresRows, row: Int) {
    guard
      let position = rows.number(2, of: row), let name = rows.text(3, of: row),
      let incarnation = rows.pattern(4, of: row), let number = rows.number(5, of: row),
      let version = rows.number(6, of: row), let bytes = rows.data(7, of: row)
    else { return nil }
    let client = LogClient(name, incarnation: incarnation)
    self.init(position: position, client: client, number: number, version: version, bytes: bytes)
  }
}
