/// An object that is captured to see when it is released.
final class Object: Sendable {}
