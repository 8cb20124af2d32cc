/// A state with as many fields as a screen may have.
struct Wide: Equatable, Sendable {
  struct Person: Equatable, Sendable {
    var name = "Rowan"
    var age = 30
    var tags = ["a", "b"]
  }

  enum Phase: Equatable, Sendable {
    case idle
    case loading(progress: Double)
  }

  var count = 0
  var title = "A title that does not fit into sixteen bytes"
  var subtitle: String?
  var isOpen = false
  var ratio = 0.5
  var phase = Phase.loading(progress: 0.25)
  var author = Person()
  var editor: Person? = Person()
  var numbers = Array(0..<20)
  var names = ["a", "b", "c"]
  var prices = ["tea": 3, "milk": 1]
  var seen: Set<Int> = [1, 2, 3]
  var width = 1.0
  var height = 2.0
  var page = 1
  var pages = 10
  var query = ""
  var selection: Int? = 3
  var errors: [String] = []
  var revision: UInt64 = 7

  static let reducer: @Sendable (inout Wide, WideAction) -> Void = { state, action in
    switch action {
    case .add: state.count += 1
    case .append(let number): state.numbers.append(number)
    case .flood: break
    }
  }
}
