/// An optional of any type: a cast of one looks inside.
protocol OptionalValue {}

extension Optional: OptionalValue {}
