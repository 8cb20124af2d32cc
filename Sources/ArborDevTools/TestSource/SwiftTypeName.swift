/// The name of a type in a file that imports the type's modules.
package enum SwiftTypeName {
  /// Returns the name of a type; nil if no other file can use it, because it is private or local.
  ///
  /// The name has no modules, but it has outer types and generic arguments. Arrays, dictionaries and optionals have their
  /// short forms.
  package static func of(_ type: Any.Type) -> String? {
    let name = String(reflecting: type)
    guard !name.contains("(unknown context at "), !name.contains(" in _") else { return nil }
    var parser = Parser(rest: name[...])
    return parser.list(until: { _ in false })
  }

  private struct Parser {
    var rest: Substring

    /// Returns the text up to a character that ends it.
    mutating func list(until isEnd: (Character) -> Bool) -> String {
      var text = ""
      while let character = rest.first, !isEnd(character) {
        if Parser.isPartOfName(character) || character == "`" {
          text += name()
        } else if rest.hasPrefix("(extension in ") {
          rest = rest.drop { $0 != ":" }.dropFirst()
        } else if rest.hasPrefix("->") {
          text += "->"
          rest.removeFirst(2)
        } else {
          text.append(rest.removeFirst())
        }
      }
      return text
    }

    /// Returns a name with its outer types. The first part is the module.
    private mutating func name() -> String {
      var names = [word()]
      while rest.first == "." {
        rest.removeFirst()
        if rest.hasPrefix("(extension in ") { rest = rest.drop { $0 != ":" }.dropFirst() }
        names.append(word())
      }
      // A single part is the label of a tuple, or a type of the language itself.
      guard names.count > 1 else { return names[0].text(isFirst: false) }
      let arguments = names.last!.arguments
      switch names.map(\.name) {
      case ["Swift", "Array"]: return "[\(arguments[0])]"
      case ["Swift", "Dictionary"]: return "[\(arguments[0]): \(arguments[1])]"
      case ["Swift", "Optional"]:
        let needsParentheses = arguments[0].contains(" ")
        return needsParentheses ? "(\(arguments[0]))?" : "\(arguments[0])?"
      // The only protocol that can be recognized by its name.
      case ["Swift", "Error"]: return "any Error"
      default: return names.dropFirst().enumerated().map { $1.text(isFirst: $0 == 0) }.joined(separator: ".")
      }
    }

    private struct Word {
      let name: String
      var arguments: [String] = []

      /// - Parameter isFirst: `true` if the word doesn't follow a dot.
      func text(isFirst: Bool) -> String {
        let name = isFirst ? Identifier.type(name) : name
        return arguments.isEmpty ? name : "\(name)<\(arguments.joined(separator: ", "))>"
      }
    }

    private mutating func word() -> Word {
      var word = Word(name: identifier())
      guard rest.first == "<" else { return word }
      repeat {
        rest.removeFirst()
        rest = rest.drop { $0 == " " }
        word.arguments.append(argument())
      } while rest.first == ","
      if !rest.isEmpty { rest.removeFirst() }
      return word
    }

    /// Returns a plain name, or a name between backticks, which may contain any character.
    private mutating func identifier() -> String {
      guard rest.first == "`", let end = rest.dropFirst().firstIndex(of: "`") else {
        let name = String(rest.prefix(while: Parser.isPartOfName))
        rest.removeFirst(name.count)
        return name
      }
      let name = Identifier.spoken(String(rest[...end]))
      rest = rest[end...].dropFirst()
      return "`\(name)`"
    }

    /// Returns a generic argument. Brackets in it may contain commas.
    private mutating func argument() -> String {
      var text = ""
      while let character = rest.first, character != ",", character != ">" {
        guard character == "(" else {
          text += list(until: { ",>(".contains($0) })
          continue
        }
        rest.removeFirst()
        text += "("
        while let character = rest.first, character != ")" {
          text += character == "(" ? argument() : list(until: { "()".contains($0) })
        }
        text += ")"
        rest = rest.dropFirst()
      }
      return text
    }

    private static func isPartOfName(_ character: Character) -> Bool {
      character.isLetter || character.isNumber || character == "_"
    }
  }
}

/// The declared type of a value.
enum DeclaredType<Declared> {
  /// Returns `true` if the declared type is the type of the value itself, not a protocol or superclass.
  static func isThat(of value: Declared) -> Bool { type(of: value as Any) == Declared.self }
}

extension Mirror {
  /// Returns `true` if a child is declared with the type of its value. The child's box has the declared type.
  static func isDeclared(asTypeOf value: Any) -> Bool {
    func isDeclared<Declared>(_ value: Declared) -> Bool { DeclaredType.isThat(of: value) }
    return _openExistential(value, do: isDeclared)
  }
}
