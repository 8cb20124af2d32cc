/// An object that is captured to detect its release.
final class Object: Sendable {}
