import Arbor
import ArborRequests
import ArborTesting
import Foundation
import Network
import TestSupport
import Testing
import UIKit

@Suite("The conditions of the system", .serialized)
struct SystemConditionsTests {
  @Test func `a cache follows the app and the network as long as the conditions are kept`() throws {
    let executor = ManualExecutor()
    let factory = StoreFactory(
      initialState: Requests(),
      feature: Requests.feature(),
      settings: TreeSettings(executor: executor)
    )
    var conditions: SystemConditions? = SystemConditions(for: factory.rootStore())
    let monitor = try #require(NWPathMonitor.started.last)

    func isActive(after notification: Notification.Name) -> Bool {
      NotificationCenter.default.post(name: notification, object: nil)
      executor.run()
      return factory.state.isActive
    }
    func isOnline(after status: NWPath.Status) -> Bool {
      monitor.pathUpdateHandler?(NWPath(status: status))
      executor.run()
      return factory.state.isOnline
    }

    #expect(!isActive(after: UIApplication.didEnterBackgroundNotification))
    #expect(isActive(after: UIApplication.didBecomeActiveNotification))
    #expect(!isOnline(after: .unsatisfied))
    #expect(isOnline(after: .satisfied))
    withExtendedLifetime(conditions) {}
    conditions = nil
    #expect(!NWPathMonitor.started.contains { $0 === monitor })
    #expect(isActive(after: UIApplication.didEnterBackgroundNotification))
  }
}
