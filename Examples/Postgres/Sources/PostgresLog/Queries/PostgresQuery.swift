/// A query with its values, whose text has a number such as `$1` in place of each.
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

  /// The first query of a session: from then on nothing that another role has made is called in the place of what is meant.
  static let searchPath = PostgresQuery("SELECT pg_catalog.set_config('search_path', 'pg_catalog, pg_temp', false)")

  /// The settings of a session, and the milliseconds that a statement may take in it.
  ///
  /// - A statement that waits for a lock is to see what was committed before, whatever the default of the database.
  /// - A statement that waits for ever would let a client wait for ever, and so would no limit.
  static let prologue = PostgresQuery(
    """
    SELECT set_config('default_transaction_isolation', 'read committed', false),
      (extract(epoch FROM set_config('statement_timeout', CASE current_setting('statement_timeout')
        WHEN '0' THEN '30s' ELSE current_setting('statement_timeout') END, false)::interval) * 1000)::bigint
    """
  )
}
