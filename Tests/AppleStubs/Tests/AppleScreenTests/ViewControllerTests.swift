import Arbor
import ArborUI
import Testing
import UIKit

@MainActor
@Suite("View controllers")
struct ViewControllerTests {
  /// In a class of `NSObject`, the name means key-value observation, which hides a global function.
  @Test func `a view controller observes by the plain function name, until it is released`() {
    let factory = StoreFactory<Int, Int>(initialState: 1) { $0 += $1 }
    var controller: CountViewController? = CountViewController()
    controller?.store = factory.observable()
    controller?.loadViewIfNeeded()
    let label = controller?.label
    #expect(label?.text == "1")
    factory.dispatchAndWait(1)
    #expect(label?.text == "2")
    weak let weakController = controller
    controller = nil
    #expect(weakController == nil)
    factory.dispatchAndWait(1)
    #expect(label?.text == "2")
  }
}
