/// What a schedule does with screens, on the main queue. Anywhere else it does nothing.
///
/// - A screen is an observable store, or the rows of a table. Screens, readers and those who apply go by numbers.
enum ScreenOperation: Sendable {
  /// Shows a source, or for nil a state that never changes.
  case show(Int, Source?)

  /// Shows the state of another screen with a type of actions of its own.
  case showScope(Int, of: Int)

  /// Shows the ids of the table in the state of another screen.
  case showRows(Int, of: Int)

  /// Shows one record of rows.
  case showRow(Int, id: Int, of: Int)
  case drop(Int)
  case read(Sight)

  /// Reads parts, and is told of the next change of any of them.
  case track([ScreenPart], screen: Int, reader: Int)

  /// Follows parts, and applies what they have become after each change.
  case apply(Int, [Sight])
  case stopApplying(Int)
  case send(Script, screen: Int)
  case write(Script, Sight, value: Int)
}

/// A part of what a screen shows.
enum ScreenPart: Equatable, Sendable {
  /// Parts that some actions leave as they were.
  case half, third

  /// All of it, which of a state cannot be compared.
  case whole
}

/// A part of a screen that somebody looks at.
struct Sight: Sendable {
  let screen: Int
  let part: ScreenPart
}

extension ScreenOperation {
  /// The operations that are one thing less each.
  var simpler: [ScreenOperation] {
    switch self {
    case .track(let parts, let screen, let reader):
      parts.withOneLess { _ in [] }.map { .track($0, screen: screen, reader: reader) }
    case .apply(let number, let sights): sights.withOneLess { _ in [] }.map { .apply(number, $0) }
    case .send(let script, let screen): script.simpler.map { .send($0, screen: screen) }
    case .write(let script, let sight, let value):
      [.send(script, screen: sight.screen)] + script.simpler.map { .write($0, sight, value: value) }
    case .show, .showScope, .showRows, .showRow, .drop, .read, .stopApplying: []
    }
  }
}
