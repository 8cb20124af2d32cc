extension Store {
  /// The store of a node as a whole. Holds the way to the node, not the node.
  @inlinable
  init(of node: StateNode<State, Action>) {
    let port = node.port
    self.init(
      port: port,
      inlet: Inlet(
        dispatch: { action in port.send(action) },
        dispatchBatch: { actions in port.send(batch: actions) },
        dispatchAndWait: { action in port.sendAndWait(action) },
        dispatchThen: { action, completion in
          port.mailbox.appendAwaited(at: port.door) { node in
            let node = unsafeDowncast(node, to: StateNode<State, Action>.self)
            node.step(action, node.announce)
            completion()
          }
        },
        upstream: { node in unsafeDowncast(node, to: StateNode<State, Action>.self).upstream }
      ),
      read: { node in unsafeDowncast(node!, to: StateNode<State, Action>.self).read() },
      connect: { node, observer, role in
        unsafeDowncast(node!, to: StateNode<State, Action>.self).connect(observer, as: role)
      }
    )
  }

  /// How many chunks of memory the tree's mailbox holds.
  package var chunkCount: Int { port?.mailbox.chunkCount ?? 0 }
}
