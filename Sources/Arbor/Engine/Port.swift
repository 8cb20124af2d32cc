public import Dispatch

/// The way to a node from outside its tree's queue: the mailbox and the door.
@usableFromInline
struct Port: Sendable {
  @usableFromInline let mailbox: Mailbox
  @usableFromInline let door: Door

  @usableFromInline
  init(mailbox: Mailbox, quality: DispatchQoS, monitored: MonitoredStore? = nil) {
    self.mailbox = mailbox
    door = Door(quality: quality, on: mailbox, monitored: monitored)
  }

  /// The node, if it has an owner and the calling thread runs its tree's work.
  var residentInside: AnyObject? {
    mailbox.isInside ? mailbox.resident(of: door) : nil
  }

  /// Ends a subscription of the node; from any thread, any number of times.
  func end(_ subscription: Subscription) {
    guard mailbox.end(subscription, at: door) else { return }
    if let node = residentInside { unsafeDowncast(node, to: Node.self).discount(subscription) }
    mailbox.rearrange(at: door) { node in
      unsafeDowncast(node, to: Node.self).unlink(subscription)
    } afterwards: { [self] in
      if let store = door.monitored, subscription.wasLinked {
        // Once the store is gone its observers are gone with it.
        mailbox.monitoring?.post(.observerGone(in: store), through: mailbox) { door.isOpen }
      }
      subscription.release()
    }
  }

  /// Keeps an object for as long as a subscription of the node lasts.
  func keep(_ object: any AnyObject & Sendable, for subscription: Subscription) {
    mailbox.rearrange(at: door) { _ in
      if !subscription.isEnded { subscription.kept = object }
    } afterwards: {
      // If it is too late, this may be the last who holds it.
      Mailbox.letGo(of: object)
    }
  }

  /// Lets an activity be heard at the node and above, in its turn.
  ///
  /// - Returns: Whether it was accepted.
  @usableFromInline
  func emit<Activity: Sendable>(_ activity: Activity) -> Bool {
    mailbox.append(at: door, .activity) { node in unsafeDowncast(node, to: Node.self).hear(activity) }
  }

  /// Sends an action of a task to the node, unless the task may send nothing any more; not reduced if it is revoked by then.
  ///
  /// - Returns: Whether it was accepted.
  @usableFromInline
  func send<Action: Sendable>(_ action: Action, by sender: TaskSender) -> Bool {
    sender.isOver ? false : send(sent: SentAction(action, by: sender))
  }

  private func send<Action: Sendable>(sent action: SentAction<Action>) -> Bool {
    guard Handler.canRun(SentAction<Action>.self) else {
      let boxed = [action]
      return mailbox.append(at: door, door.sentActions) { place in
        place.initializeMemory(as: [SentAction<Action>].self, to: boxed)
      }
    }
    return mailbox.append(at: door, door.sentActions) { place in
      place.initializeMemory(as: SentAction<Action>.self, to: action)
    }
  }

  /// Runs a body on the queue with the node, behind everything accepted before the call; see ``Mailbox/wait(at:for:_:)``.
  ///
  /// - Returns: Whether there was an owner; the body is not called if not.
  @inlinable
  func wait(for call: StaticString = "state", _ body: (AnyObject) -> Void) -> Bool {
    mailbox.wait(at: door, for: call, body)
  }

  /// Sends an action to the node.
  ///
  /// - Returns: Whether it was accepted.
  @inlinable
  func send<Action: Sendable>(_ action: Action) -> Bool {
    guard Handler.canRun(Action.self) else { return send(batch: [action]) }
    return mailbox.append(at: door, door.actions) { place in place.initializeMemory(as: Action.self, to: action) }
  }

  /// Sends actions to the node, to be reduced in one step; none is no step.
  ///
  /// - Returns: Whether they were accepted.
  @inlinable
  func send<Action: Sendable>(batch actions: [Action]) -> Bool {
    guard !actions.isEmpty else { return door.isOpen }
    return mailbox.append(at: door, door.batches) { place in place.initializeMemory(as: [Action].self, to: actions) }
  }
}
