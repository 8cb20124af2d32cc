/// An action, with all that is done about it wherever it is met.
struct Script: Sendable {
  let number: Int

  /// The part of a state to which the action belongs; nil if it belongs to the whole.
  var part: StatePart?
  var reactions: [Reaction] = []
}

/// Something that is done about an action in one place.
struct Reaction: Sendable {
  enum Deed: Sendable {
    /// Done once, when the action, or a state of which it is the latest action, is met first.
    case perform(Operation)

    /// What an interceptor says.
    case drop
    case replace(Script)
    case hold

    /// What an interceptor says: another action in its place that does the same, also if a caller waits for it.
    case wrap

    /// What a reducer says: the commit fails; one of enum actions applies a mutation that fails.
    case refuse

    /// What a reducer lets become of the work that is a function of its state.
    case job(JobVerb)

    /// What a reducer of a whole state lets become of its parts.
    case parts(PartVerb)

    /// What an action sets off.
    case effect(EffectPlan)
  }

  let number: Int
  let place: Place
  var deed: Deed
}

/// What becomes of an action that an interceptor holds.
enum Decision: Sendable {
  case pass, drop
  case replace(Script)
}

/// Where an action is met: a closure of a user's, of the feature of a whole state or of a kind of parts.
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
