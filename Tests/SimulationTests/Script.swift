/// An action, with all reactions to it in every place.
struct Script: Sendable {
  let number: Int

  /// The part of a state to which the action belongs; nil if it belongs to the whole.
  var part: StatePart?
  var reactions: [Reaction] = []
}

/// A reaction to an action in one place.
struct Reaction: Sendable {
  enum Deed: Sendable {
    /// Performed once, at the first encounter with the action, or with a state of which it is the latest action.
    case perform(Operation)

    /// The decision of an interceptor.
    case drop
    case replace(Script)
    case hold

    /// The decision of an interceptor: a replacement with the same effect, even if a caller waits for the action.
    case wrap

    /// The decision of a reducer: the commit fails; a reducer of enum actions applies a failing mutation.
    case refuse

    /// A reducer's change of the work that is a function of its state.
    case job(JobVerb)

    /// A reducer's change of the parts of a whole state.
    case parts(PartVerb)

    /// An effect of an action.
    case effect(EffectPlan)
  }

  let number: Int
  let place: Place
  var deed: Deed
}

/// The decision about an action that an interceptor holds.
enum Decision: Sendable {
  case pass, drop
  case replace(Script)
}

/// A place that encounters an action: a closure of the feature of a whole state or of a kind of parts.
struct Place: Equatable, Sendable {
  enum Kind: UInt8, Sendable {
    case interceptor, reducer, effects, observer, observation, monitor, application
  }

  let kind: Kind
  let number: Int32
  let part: StatePart.Kind?

  init(_ kind: Kind, _ number: Int, _ part: StatePart.Kind? = nil) {
    self.kind = kind
    self.number = Int32(number)
    self.part = part
  }
}
