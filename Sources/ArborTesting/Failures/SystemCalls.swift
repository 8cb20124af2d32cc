#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#elseif canImport(Android)
  internal import Android
#endif

/// The functions of the C library that ArborTesting needs.
enum SystemCalls {
  /// The reason why a system call failed.
  struct Refusal: Error {
    fileprivate let code: Int32

    fileprivate init(code: Int32 = errno) {
      self.code = code
    }

    /// `true` if the file or folder does not exist.
    var isMissing: Bool { code == ENOENT }

    /// The reason, as described by the system.
    var reason: String { String(cString: strerror(code)) }
  }

  /// The address of a symbol of the program or of a loaded library; nil if there is none of that name.
  static func address(of symbol: String) -> UnsafeRawPointer? {
    guard let program = dlopen(nil, RTLD_LAZY) else { return nil }
    defer { dlclose(program) }
    return UnsafeRawPointer(dlsym(program, symbol))
  }

  static func environmentVariable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }
  }

  /// The bytes of a file.
  static func bytes(ofFile path: String) throws(Refusal) -> [UInt8] {
    let file = try unlessInterrupted { open(path, O_RDONLY | O_CLOEXEC) }
    defer { close(file) }
    var bytes: [UInt8] = []
    var part = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = try unlessInterrupted { read(file, &part, part.count) }
      if count == 0 { return bytes }
      bytes += part[..<count]
    }
  }

  /// Replaces the content of a file, or leaves the file unchanged.
  ///
  /// - A reader finds either the old bytes or the new ones: a draft next to the file is written, and then takes its
  ///   place.
  /// - The file keeps its mode. A folder, a link or a device is not replaced.
  static func replaceFile(_ path: String, with bytes: [UInt8]) throws(Refusal) {
    let oldMode = try mode(ofFile: path)
    let draft = "\(path).\(getpid()).\(UInt32.random(in: .min ... .max))"
    // The draft is a new file, so no link is followed.
    let file = try unlessInterrupted { open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666) }
    do throws(Refusal) {
      defer { close(file) }
      try put(bytes, into: file)
      if let oldMode { _ = try unlessInterrupted { fchmod(file, oldMode) } }
      _ = try unlessInterrupted { rename(draft, path) }
    } catch {
      unlink(draft)
      throw error
    }
  }

  /// The mode of the file at a path; nil if there is none.
  private static func mode(ofFile path: String) throws(Refusal) -> mode_t? {
    var file = stat()
    guard lstat(path, &file) == 0 else { return nil }
    switch file.st_mode & S_IFMT {
    case S_IFREG: return file.st_mode & 0o777
    case S_IFDIR: throw Refusal(code: EISDIR)
    default: throw Refusal(code: EEXIST)
    }
  }

  private static func put(_ bytes: [UInt8], into file: Int32) throws(Refusal) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = try unlessInterrupted { rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) } }
      rest = rest.dropFirst(count)
    }
  }

  /// Repeats a system call until no signal interrupts it.
  private static func unlessInterrupted<Answer: SignedInteger>(_ call: () -> Answer) throws(Refusal) -> Answer {
    while true {
      let answer = call()
      if answer >= 0 { return answer }
      let refusal = Refusal()
      if refusal.code != EINTR { throw refusal }
    }
  }
}
