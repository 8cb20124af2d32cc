internal import Arbor
internal import Foundation

extension Storage {
  /// Closes the storage until ``resume()``, and waits for that.
  ///
  /// - Parameters:
  ///   - isInTime: `false` if there is no time to save: what has changed stays unsaved until then.
  ///   - isInBackground: Returns `false` if the program is back before the storage's queue comes to this.
  package func suspend(isInTime: Bool, if isInBackground: () -> Bool = { true }) {
    runNow { core in if isInBackground() { core.suspend(isInTime: isInTime) } }
  }

  /// Opens the storage again later, unless it was closed in another way.
  package func resume() {
    runLater { core in core.resume() }
  }
}

#if canImport(Darwin) && !os(macOS)
  /// An observer of the program's way to the background and back, which suspends and resumes a storage.
  final class BackgroundObserver: @unchecked Sendable {  // The tokens are set once, and used by the `deinit`.
    private var tokens: [any NSObjectProtocol] = []

    /// `true` in the background: the program may be back before the storage's queue comes to close it.
    private let isInBackground = AtomicFlag(false)

    init(_ storage: Storage) {
      // By their names: the frameworks that declare them are not linked into every program.
      for name in [
        "UIApplicationDidEnterBackground", "NSExtensionHostDidEnterBackground", "WKApplicationDidEnterBackground",
      ] {
        observe(name) { [weak self, weak storage] in
          self?.isInBackground.store(true)
          // Asks the system for the time that this needs.
          ProcessInfo.processInfo.performExpiringActivity(withReason: "saving") { [weak self, weak storage] isExpired in
            storage?.suspend(isInTime: !isExpired) { self?.isInBackground.load() == true }
          }
        }
      }
      for name in [
        "UIApplicationWillEnterForeground", "NSExtensionHostWillEnterForeground", "WKApplicationWillEnterForeground",
      ] {
        observe(name) { [weak self, weak storage] in
          self?.isInBackground.store(false)
          storage?.resume()
        }
      }
    }

    private func observe(_ name: String, _ body: @escaping @Sendable () -> Void) {
      let name = Notification.Name(name + "Notification")
      tokens.append(NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in body() })
    }

    deinit {
      for token in tokens { NotificationCenter.default.removeObserver(token) }
    }
  }
#endif
