/// Something that a simulated tree was seen to do.
enum Occurrence: Equatable, Sendable, CustomStringConvertible {
  case intercepted(node: Int, action: Int, path: [Int])
  case reduced(node: Int, action: Int, path: [Int])
  case mapped(node: Int)
  case observed(observer: Int, state: String)
  case answered(store: Int, state: String?)
  case stepped(Bool)

  var description: String {
    switch self {
    case .intercepted(let node, let action, let path): "node \(node) intercepted \(action) \(path)"
    case .reduced(let node, let action, let path): "node \(node) reduced \(action) \(path)"
    case .mapped(let node): "node \(node) mapped"
    case .observed(let observer, let state): "observer \(observer) saw \(state)"
    case .answered(let store, let state): "store \(store) answered \(state ?? "nil")"
    case .stepped(let isStep): isStep ? "a step" : "no step"
    }
  }
}
