internal import Foundation

/// A number by which the environment changes a test.
public enum Setting {
  /// The number that a variable of the environment names; nil if there is none. Stops the tests if it names something else.
  public static func number<Number: LosslessStringConvertible & Comparable & Numeric>(_ name: String) -> Number? {
    guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
    guard let number = Number(text), number >= .zero else { fatalError("\(name)=\(text): this is no number from 0 on") }
    return number
  }
}
