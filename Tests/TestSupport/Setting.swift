internal import Foundation

/// A number in the environment that changes a test.
public enum Setting {
  /// The number in a variable of the environment; nil if it is not set. Stops the tests if it is not a number.
  public static func number<Number: LosslessStringConvertible & Comparable & Numeric>(_ name: String) -> Number? {
    guard let text = ProcessInfo.processInfo.environment[name] else { return nil }
    guard let number = Number(text), number >= .zero else { fatalError("\(name)=\(text): not a number from 0 on") }
    return number
  }
}
