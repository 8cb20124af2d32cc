import ArborPersistence
import Foundation

/// A folder that is removed with the object.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appending(path: "benchmarks-\(UUID().uuidString)")

  init() {
    try! FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Opens a storage; waits until another storage of this process has released the folder.
  func storage() -> Storage {
    while true {
      if let storage = try? Storage(at: url) { return storage }
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  /// The total size of all files in bytes.
  var size: Int {
    let names = try! FileManager.default.contentsOfDirectory(atPath: url.path)
    return names.reduce(0) { size, name in
      let attributes = try? FileManager.default.attributesOfItem(atPath: url.appending(path: name).path)
      return size + (attributes?[.size] as? Int ?? 0)
    }
  }

  /// The time of an append of 128 bytes followed by a sync.
  func nanosecondsPerSync(_ count: Int) -> Double {
    let path = url.appending(path: "synced").path
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = FileHandle(forWritingAtPath: path)!
    file.seekToEndOfFile()
    let bytes = Data(repeating: 1, count: 128)
    return nanoseconds(perOperationOf: count) {
      for _ in 0..<count {
        file.write(bytes)
        #if canImport(Darwin)
          _ = fcntl(file.fileDescriptor, F_FULLFSYNC)
        #else
          fdatasync(file.fileDescriptor)
        #endif
      }
    }
  }
}

/// Waits for asynchronous work. Must not be called on the main actor.
@discardableResult
func waiting<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) -> Value {
  let (done, result) = (DispatchSemaphore(value: 0), Result())
  Task.detached {
    result.value = try! await body()
    done.signal()
  }
  done.wait()
  return result.value as! Value
}

private final class Result: @unchecked Sendable {  // Written before the semaphore is signaled, and read after.
  var value: Any?
}
