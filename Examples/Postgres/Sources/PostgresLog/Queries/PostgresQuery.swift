/// A query with its values. The text has a number such as `$1` in place of each value.
package struct PostgresQuery: Sendable {
  let text: String
  let values: [PostgresValue]

  package init(_ text: String, values: [PostgresValue] = []) {
    self.text = text
    self.values = values
  }

  init(_ text: String, _ values: PostgresValue...) {
    self.init(text, values: values)
  }

  /// The first query of a session. After it, no object that another role has created can be called in place of the intended
  /// function.
  static let searchPath = PostgresQuery("SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false)")

  /// The settings of a session, and the milliseconds that a statement may take in it.
  ///
  /// - A statement that waits for a lock must see all earlier commits, regardless of the database's default.
  /// - Without a limit, a statement could make a client wait forever.
  static let prologue = PostgresQuery(
    """
    SELECT set_config('default_transaction_isolation', 'read committed', false),
      (extract(epoch FROM set_config('statement_timeout', CASE current_setting('statement_timeout')
        WHEN '0' THEN '30s' ELSE current_setting('statement_timeout') END, false)::interval) * 1000)::bigint
    """
  )
}
