import Foundation

/// Finds uses of symbols that exist only on systems newer than the oldest supported one.
///
/// - On Linux, the compiler does not check availability, so this reads the text. It relies on this project's format: a
///   brace that opens a body ends its line.
struct AvailabilityReader {
  /// A use of a symbol without an availability check.
  struct Use: Equatable {
    let line: Int
    let symbol: String

    /// The first version of macOS that has the symbol.
    let needed: Int
  }

  /// The symbols of systems newer than macOS 13, by the first version of macOS that has them.
  ///
  /// - The kind of the word boundaries is set here: a regex is compiled again after each change of its options.
  nonisolated(unsafe) private static let symbols: [(name: String, pattern: Regex<Substring>, needed: Int)] = [
    ("Synchronization", /\bimport Synchronization\b/, 15),
    ("Mutex", /\bMutex\b/, 15),
    ("Atomic", /\bAtomic\b/, 15),
    ("AtomicLazyReference", /\bAtomicLazyReference\b/, 15),
    ("TaskExecutor", /\bTaskExecutor\b/, 15),
    ("UnownedTaskExecutor", /\b(?:as)?UnownedTaskExecutor\b/, 15),
    ("unownedTaskExecutor", /\bunownedTaskExecutor\b/, 15),
    ("executorPreference", /\bexecutorPreference\b/, 15),
    ("withTaskExecutorPreference", /\bwithTaskExecutorPreference\b/, 15),
    ("next(isolation:)", /\bnext\(isolation\b/, 15),
    ("Failure of a sequence", /\b(?:any|some) AsyncSequence<[^<>]*,/, 15),
    ("Int128", /\bU?Int128\b/, 15),
    ("attoseconds of a Duration", /[^s]\.attoseconds\b/, 15),
    ("String(validating:as:)", /\bString\(validating\b/, 15),
    ("RangeSet", /\bRangeSet\b/, 15),
    ("ExecutorJob", /\bExecutorJob\b/, 14),
    ("discarding task groups", /\bwith(?:Throwing)?DiscardingTaskGroup\b/, 14),
    ("Observable", /(?:^|[^A-Za-z.])Observable\b/, 14),
    ("ObservationRegistrar", /\bObservationRegistrar\b/, 14),
    ("withObservationTracking", /\bwithObservationTracking\b/, 14),
    ("ObservableStore", /\bObservableStore\b/, 14),
    ("StoreRows", /\bStoreRows\b/, 14),
    ("Bindable", /\bBindable\b/, 14),
    ("packs on generic types", /\b(?:struct|class|enum|actor) \w+<each\b/, 14),
    ("Observations", /\bObservations\b/, 26),
    ("InlineArray", /\bInlineArray\b/, 26),
    ("isolated deinit", /\bisolated deinit\b/, 16),
  ].map { ($0, $1.wordBoundaryKind(.simple), $2) }

  /// All uses without an availability check.
  static func uses(in text: String) -> [Use] {
    var reader = AvailabilityReader()
    for (number, line) in Sources.code(in: text).enumerated() { reader.read(line, number + 1) }
    return reader.uses
  }

  /// A pair of braces that is open.
  private struct Scope {
    /// The version of macOS that is known here.
    var known: Int

    /// The version that is known after the `else` of a `guard` is closed.
    var knownBehindElse: Int?
  }

  private var uses: [Use] = []
  private var scopes = [Scope(known: 13)]

  /// The version in the mark of the declaration whose body has not begun; nil if it has no mark.
  private var marked: Int?

  /// For each open `#if`, flags for checking for Apple's systems, and for a branch without them.
  private var conditions: [(asksForApple: Bool, isWithoutApple: Bool)] = []

  private mutating func read(_ line: String, _ number: Int) {
    let line = line.trimmingCharacters(in: .whitespaces)
    if line.hasPrefix("#") { return readCondition(line) }
    guard !conditions.contains(where: \.isWithoutApple) else { return }
    if line.hasPrefix("@available") { marked = Self.version(in: line) }
    if line.hasPrefix("}") { closeScope() }
    let known = max(scopes.last!.known, marked ?? 0)
    for symbol in Self.symbols where symbol.needed > known {
      for _ in line.matches(of: symbol.pattern) {
        uses.append(Use(line: number, symbol: symbol.name, needed: symbol.needed))
      }
    }
    openScopes(line.hasPrefix("}") ? String(line.dropFirst()) : line, known)
    // A mark ends where the body of its declaration begins, or with a declaration that has none.
    if line.isEmpty || line.contains("{") || line.contains(#/^(?:\w+ )*(?:let|var|typealias) /#) { marked = nil }
  }

  private mutating func openScopes(_ line: String, _ known: Int) {
    let balance = line.count { $0 == "{" } - line.count { $0 == "}" }
    let asked = line.contains("#available") ? Self.version(in: line) : nil
    let isGuard = line.hasPrefix("guard")
    if isGuard, let asked, balance > 0 { scopes[scopes.count - 1].knownBehindElse = asked }
    if isGuard, let asked, balance == 0 { scopes[scopes.count - 1].known = max(known, asked) }
    for _ in 0..<max(balance, 0) { scopes.append(Scope(known: isGuard ? known : max(known, asked ?? 0))) }
    for _ in 0..<max(-balance, 0) { closeScope() }
  }

  private mutating func closeScope() {
    scopes.removeLast()
    guard let known = scopes.last?.knownBehindElse else { return }
    scopes[scopes.count - 1] = Scope(known: max(known, scopes.last!.known))
  }

  private mutating func readCondition(_ line: String) {
    if line.hasPrefix("#if") {
      let asksForApple = line.contains("canImport(Darwin)")
      conditions.append((asksForApple, asksForApple && line.hasPrefix("#if !")))
    } else if line.hasPrefix("#endif") {
      conditions.removeLast()
    } else if line.hasPrefix("#else"), conditions.last!.asksForApple {
      conditions[conditions.count - 1].isWithoutApple.toggle()
    }
  }

  /// The version of macOS in an availability; nil if there is none.
  private static func version(in line: String) -> Int? {
    line.firstMatch(of: /macOS (\d+)/).flatMap { Int($0.1) }
  }
}
