/// The declaration of a state effect in the source.
///
/// - It is an object, so that each group of an effect's tasks has it at the cost of a reference.
@usableFromInline
package final class StateEffectDeclaration: Sendable {
  private let fileID: StaticString
  private let line: UInt

  package init(_ fileID: StaticString, _ line: UInt) {
    self.fileID = fileID
    self.line = line
  }

  /// The name of the effect, such as "the state effect at Shop/Cart.swift:12".
  package var name: String { "the state effect at \(fileID):\(line)" }
}

extension WaitingEntry.Kind {
  /// The name of the state effect that checks the state; nil if all of a feature's state effects do, and for other
  /// entries.
  package var stateEffect: String? {
    if case .effect(let declaration) = self { (declaration as? StateEffectDeclaration)?.name } else { nil }
  }
}
