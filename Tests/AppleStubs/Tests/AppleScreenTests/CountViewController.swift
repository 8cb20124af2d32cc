import Arbor
import ArborUI
import UIKit

final class CountViewController: UIViewController {
  var store: ObservableStore<Int, Int>?
  let label = UILabel()
  private var subscription: StoreSubscription?

  override func viewDidLoad() {
    super.viewDidLoad()
    subscription = observe { [store] in
      store?.state
    } apply: { [label] count in
      label.text = count.map { "\($0)" }
    }
  }
}
