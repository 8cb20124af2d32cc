import Arbor

/// Shows the progress of loading: one line for each problem and, on a terminal, a bar.
struct LoadingScreen: Sendable {
  /// The name of the catalog.
  let name: String

  /// The number of bytes of the catalog; nil if unknown.
  let length: Int?

  var isTerminal = Terminal.isError
  var write: @Sendable (_ text: String) -> Void = { Terminal.writeError($0) }

  /// Shows each step from now on, as long as the store lives.
  func follow(_ store: Store<AppState, AppAction>) {
    store.scope(to: \.loading)
      .observe(initial: false, removeDuplicates: .equatable) { loading in show(loading) }
      .storeWhileSourceActive()
  }

  private func show(_ loading: LoadingState) {
    print(loading.problems.map { "\(name):\($0.line): \($0.reason)" })
    if isTerminal { write(bar(of: loading)) }
  }

  private func bar(of loading: LoadingState) -> String {
    guard let length, length > 0 else { return "\(loading.rows) rows" }
    let part = min(1, Double(loading.bytes) / Double(length))
    let full = Int(part * Double(LoadingScreen.width))
    let cells = String(repeating: "#", count: full) + String(repeating: ".", count: LoadingScreen.width - full)
    return "[\(cells)] \(Int(part * 100)) %, \(loading.rows) rows"
  }

  /// Shows the result for the rows.
  func conclude(_ loading: LoadingState, isRefused: Bool) {
    let skipped = isRefused ? "invalid, so nothing was loaded" : "skipped, \(loading.loaded) loaded"
    print(["\(name): \(loading.rows) rows, \(loading.skipped) \(skipped)"])
  }

  /// Prints lines above the bar, if there is one.
  private func print(_ lines: [String]) {
    let text = (isTerminal ? LoadingScreen.clearLine : "") + lines.map { "\($0.escaped)\n" }.joined()
    if !text.isEmpty { write(text) }
  }

  private static let width = 30
  private static let clearLine = "\r\u{1B}[K"
}
