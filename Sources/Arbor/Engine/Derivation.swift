/// A derived value, as far as the order matters in which several are brought up to date and told.
@usableFromInline
class Derivation: @unchecked Sendable {  // Its tree's queue owns what varies.
  /// Greater than that of all it is derived from.
  final let order = Identity().number

  /// The mailbox of the tree where it is brought up to date.
  final let mailbox: Mailbox

  init(on mailbox: Mailbox) {
    self.mailbox = mailbox
  }

  /// Brings the value up to date.
  ///
  /// - Returns: Whether it is another one, which those who observe it are to be told.
  func update() -> Bool { false }

  /// Tells those who observe the value, if it is another one than they were told last.
  func tell() {}

  /// An input in another tree, or of the same one, has changed. From any thread.
  func expire() {}
}
