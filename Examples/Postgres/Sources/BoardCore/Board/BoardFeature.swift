package import Arbor
package import ArborSync

/// Returns the feature of the shared store's root.
///
/// - Each of the client's own actions is also emitted as an activity after its step: a `BoardAction` with its signature.
/// - Parameters:
///   - author: The name with which this client signs.
///   - makeStamp: Makes the time and the id of a signature.
package func boardFeature(
  author: String,
  stampedBy makeStamp: @escaping @Sendable () -> Stamp = { Stamp() }
) -> Feature<Board, BoardAction> {
  let signing = Interceptor<Board, BoardAction>.stamping(by: makeStamp) { action, makeStamp in
    guard action.signature == nil else { return nil }
    let stamp = makeStamp()
    return BoardAction(action.change, by: Signature(author: author, date: stamp.date, id: stamp.id))
  }
  let telling = Interceptor<Board, BoardAction> { action, context in
    context.emit(action)
    return .pass
  }
  return Feature(interceptors: [signing, telling], reducer: boardReducer)
}
