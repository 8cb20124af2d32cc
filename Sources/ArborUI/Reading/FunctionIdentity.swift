/// The identity of an argument that makes a function.
///
/// - Two functions can't be compared. The code of two arguments can: an argument that captures nothing creates the same
///   function each time, unless it reads a global or static variable. The values that an argument captures can differ
///   from one call to the next, so such an argument is equal only to copies of itself.
/// - The parameter is an autoclosure. A closure for the function itself does not show whether it captures anything: in
///   unoptimized code the language wraps some functions, such as the case of an enum, in a closure that captures them.
struct FunctionIdentity: Hashable {
  /// The layout of a closure: its code, and the object with the captured values, which is nil if there are none.
  private struct Layout: Hashable {
    let code: UInt
    let captured: UInt
  }

  /// An argument for a function of one value. A property stores the closure unchanged; a generic argument would wrap
  /// it.
  private struct Argument<Value, Result> {
    let make: () -> (@Sendable (Value) -> Result)
  }

  /// An argument for a function of two values.
  private struct ArgumentOfTwo<First, Second, Result> {
    let make: () -> (@Sendable (First, Second) -> Result)
  }

  private let layout: Layout

  /// - Parameter make: The argument, which must live as long as its identity is compared.
  init<Value, Result>(of make: @escaping () -> (@Sendable (Value) -> Result)) {
    layout = unsafeBitCast(Argument(make: make), to: Layout.self)
  }

  /// - Parameter make: The argument, which must live as long as its identity is compared.
  init<First, Second, Result>(of make: @escaping () -> (@Sendable (First, Second) -> Result)) {
    layout = unsafeBitCast(ArgumentOfTwo(make: make), to: Layout.self)
  }

  /// `true` if the argument makes the same function each time.
  var capturesNothing: Bool { layout.captured == 0 }
}

/// The name of an object that is made from a screen's store and shared by all callers.
struct MadeName: Hashable {
  private let part: AnyHashable
  private let type: ObjectIdentifier
  private let id: AnyHashable?
  private let function: FunctionIdentity?

  /// - Returns: Nil if the function that embeds the actions captures values. In that case the object has no name and is
  ///   not shared.
  /// - Parameters:
  ///   - part: The part of the state that the object shows, or the name of the selector that computes it.
  ///   - type: The type of the object.
  ///   - id: The id of the shown item; nil if the object shows the part itself.
  ///   - function: The identity of the function that embeds the object's actions; nil if the part determines them.
  init?(_ part: some Hashable, _ type: Any.Type, id: AnyHashable? = nil, _ function: FunctionIdentity? = nil) {
    if function?.capturesNothing == false { return nil }
    self.part = AnyHashable(part)
    self.type = ObjectIdentifier(type)
    self.id = id
    self.function = function
  }
}
