internal import Arbor
internal import Foundation

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
            guard !isExpired else { return }
            storage?.runNow { core in
              // The errors are told as problems.
              if self?.isInBackground.load() == true { try? core.close() }
            }
          }
        }
      }
      for name in [
        "UIApplicationWillEnterForeground", "NSExtensionHostWillEnterForeground", "WKApplicationWillEnterForeground",
      ] {
        observe(name) { [weak self, weak storage] in
          self?.isInBackground.store(false)
          storage?.runLater { core in try? core.reopen() }
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
