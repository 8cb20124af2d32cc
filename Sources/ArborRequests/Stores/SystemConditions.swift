#if canImport(Network) && (canImport(UIKit) || canImport(AppKit))
  public import Arbor
  internal import Foundation
  internal import Network
  #if canImport(UIKit)
    internal import UIKit
  #else
    internal import AppKit
  #endif

  /// Notifies a cache when the app becomes active, and when the network comes and goes.
  ///
  /// - It dispatches ``RequestAction/becameActive``, ``RequestAction/becameInactive``, ``RequestAction/becameOnline``
  ///   and ``RequestAction/becameOffline`` as long as you keep it.
  /// - The app is inactive while it is in the background: on macOS, while another app is in front. On watchOS, it counts
  ///   as active.
  public final class SystemConditions: Sendable {
    private let monitor = NWPathMonitor()

    // Only used by `init` and `deinit`.
    private nonisolated(unsafe) var observers: [any NSObjectProtocol] = []

    /// Begins to observe the system.
    ///
    /// - Parameter store: A store of the cache.
    public init(for store: Store<Requests, RequestAction>) {
      monitor.pathUpdateHandler = { path in
        store.dispatch(path.status == .satisfied ? .becameOnline : .becameOffline)
      }
      monitor.start(queue: DispatchQueue(label: "Arbor.SystemConditions"))
      for (name, action) in SystemConditions.notifications {
        observers.append(
          NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in store.dispatch(action) }
        )
      }
    }

    deinit {
      monitor.cancel()
      for observer in observers { NotificationCenter.default.removeObserver(observer) }
    }

    private static var notifications: [(Notification.Name, RequestAction)] {
      #if os(watchOS)
        []
      #elseif canImport(UIKit)
        [
          (UIApplication.didBecomeActiveNotification, .becameActive),
          (UIApplication.didEnterBackgroundNotification, .becameInactive),
        ]
      #else
        [
          (NSApplication.didBecomeActiveNotification, .becameActive),
          (NSApplication.didResignActiveNotification, .becameInactive),
        ]
      #endif
    }
  }
#endif
