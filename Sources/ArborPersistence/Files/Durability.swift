/// A guarantee about what was acknowledged.
///
/// | | the process is killed or crashes | the system crashes, or the power is lost |
/// |---|---|---|
/// | ``none`` | survives | the last seconds may be lost, and files be damaged, which is told |
/// | ``ordered`` | survives | the last seconds may be lost; what is left is whole |
/// | ``full`` | survives | survives |
public enum Durability: Hashable, Sendable, CaseIterable {
  /// Bytes are handed to the system, which writes them when it likes, and in any order.
  case none

  /// Bytes reach the disk in their order: on Apple's systems by `F_BARRIERFSYNC`, elsewhere as by ``full``.
  case ordered

  /// Bytes are on the disk before anything is acknowledged: on Apple's systems by `F_FULLFSYNC`, which makes the drive
  /// empty its own memory, elsewhere by `fdatasync` and `fsync`.
  ///
  /// - A file system that does not know Apple's calls is asked by `fsync`.
  case full
}
