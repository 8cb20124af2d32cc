public import Synchronization

/// The part of a tree's work that runs at a moment; noted in debug builds, to be named where somebody waits for it.
@usableFromInline
enum StepPhase: UInt8, AtomicRepresentable {
  case other
  case interceptors
  case reducers
  case effects
  case derivedValues
  case observers

  var text: String {
    switch self {
    case .other: "work of the tree runs"
    case .interceptors: "an interceptor runs"
    case .reducers: "a reducer or the closure of a commit runs"
    case .effects: "the declaration of an effect runs"
    case .derivedValues: "the closure of a derived value runs"
    case .observers: "an observer runs"
    }
  }
}
