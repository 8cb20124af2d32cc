/// A value that can be looked at where it is, but not copied by accident.
///
/// Whoever is lent one passes the value on as it is. Of a copyable value behind a pointer the compiler makes a copy first,
/// which counts a reference for each of its fields.
@usableFromInline
struct Held<Value>: ~Copyable {
  @usableFromInline let value: Value
}
