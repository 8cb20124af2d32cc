/// Returns the name of the case that a value of an enum is; nil for any other value, and where a program was built without
/// the names of its cases.
///
/// - The standard library prints enums by this function of Swift's runtime. A mirror gives the same name and takes four times
///   as long, because it also copies the case's values.
func caseName(of value: any Sendable) -> String? {
  func name<Value>(of value: Value) -> String? { enumCaseName(value).map { String(cString: $0) } }
  return name(of: value)
}

// `stdlib/public/runtime/ReflectionMirror.cpp` of Swift's sources declares it, and `ReflectionMirror.swift` in the standard
// library calls it so.
@_silgen_name("swift_EnumCaseName")
private func enumCaseName<Value>(_ value: Value) -> UnsafePointer<CChar>?
