/// An operation of a schedule on screens, on the main queue. Anywhere else it does nothing.
///
/// - A screen is an observable store, or the rows of a table. Screens, readers and functions that apply changes have
///   numbers.
enum ScreenOperation: Sendable {
  /// Shows a source; for nil, a state that never changes.
  case show(Int, Source?)

  /// Shows the state of another screen with its own type of actions.
  case showScope(Int, of: Int)

  /// Shows the ids of the table in the state of another screen.
  case showRows(Int, of: Int)

  /// Shows one record of rows.
  case showRow(Int, id: Int, of: Int)
  case drop(Int)
  case read(Sight)

  /// Reads parts, and is notified of the next change of any of them.
  case track([ScreenPart], screen: Int, reader: Int)

  /// Follows parts, and applies their new values after each change.
  case apply(Int, [Sight])
  case stopApplying(Int)
  case send(Script, screen: Int)
  case write(Script, Sight, value: Int)
}

/// A part of a screen's content.
enum ScreenPart: Equatable, Sendable {
  /// Parts that some actions do not change.
  case half, third

  /// The whole content. For a state, it cannot be compared.
  case whole
}

/// A part of a screen that a function reads.
struct Sight: Sendable {
  let screen: Int
  let part: ScreenPart
}

extension ScreenOperation {
  /// Simplified operations, each with one thing less.
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
