import Foundation

/// Values that are written as Swift, compiled, and compared with the originals.
enum Samples {
  static let greatest = Int.max
  static let least = Int64.min
  static let byte = UInt8(200)
  static let wide = UInt128.max
  static let fraction = 0.1 + 0.2
  static let tiny = Double.leastNonzeroMagnitude
  static let huge = Float.greatestFiniteMagnitude
  static let infinite = -Double.infinity
  static let yes: Bool? = true
  static let nothing: Int? = nil
  static let twiceNothing: Int?? = .some(nil)
  static let nested: Int??? = .some(.some(nil))
  static let quoted = #"a "word" and \a backslash"#
  static let marks = "\"\"#\"##\\"
  static let controls = "\0\u{1B}\u{2028}\u{2029}\u{85}\u{FEFF}\u{202E}\r\n\t"
  static let family = "👩\u{200D}👩\u{200D}👧 e\u{301}"
  static let interpolation = #"\(1)"#
  static let letter: Character = "é"
  static let slice = "abcdef".dropFirst(2)
  static let list: [Int8] = [1, -2]
  static let nobody: [String] = []
  static let optionals: [Int?] = [1, nil]
  static var hashables: [AnyHashable] { [AnyHashable(UInt8(1)), AnyHashable("a")] }
  static let names: Set = ["b", "a", "c"]
  static let table: [Int: [String: Bool?]] = [10: ["b": nil, "a": true], 9: [:]]
  static let range = 1..<9_000_000
  static let closed = Int8(-3)...4
  static let result: Result<Int, Sampled.Refusal> = .failure(.code(1))
  static let options: Sampled.Options = [Sampled.Options(rawValue: 1), Sampled.Options(rawValue: 4)]
  static let box = Sampled.Box<[Int?: String]>(content: [1: "a", nil: "b"])
  static let inner = Sampled.Box<Int?>.Inner(text: "a")
  static let stamp = Sampled.Stamp(items: [1, 2], default: .second)
  static let choice: Sampled.Choice?? = .first
  static let keyword: [Sampled.Keyword] = [.`init`, .default, .in(for: 1, true), .self(.default), .`two words`]
  static let noLabel: [Label?] = [Label.none, nil, .new]
  static let labelled: [String: Label?] = ["a": Label.none, "b": nil, "c": .reduced(percent: 1)]
  static let money: Sampled.Money? = Sampled.Money(cents: 5)
  static let wrong = Sampled.Wrong(error: Sampled.Refusal.offline)
  static let loose = Sampled.Loose()
  static let looseList = [Sampled.Loose(number: -1.5, label: [1 as Int8])]
  static let payloads: [Sampled.Payload] = [.loose(Label.new), .loose(UInt8(1)), .both(Sampled.Refusal.offline, 1)]
  static let empty = Sampled.Empty()
  static let seconds: Duration? = .seconds(1_000_000)
  static let milliseconds: Duration = .milliseconds(-1500)
  static let attoseconds = Duration(secondsComponent: 1, attosecondsComponent: 1)
  static let date = Date(timeIntervalSinceReferenceDate: 1234.5)
  static let data = Data([1, 2, 3])
  // Created each time: the leak checker does not find a constant because of the tag bits in its address.
  static var longData: Data { Data(0..<20) }
  static let address = URL(string: "https://example.org/a?b=c#d")
  static let relative = URL(string: "b/c", relativeTo: URL(string: "https://example.org/a/"))
  static let id = UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!
  static let price = Decimal(string: "-12.340")!
  static let width: CGFloat = 0.5

  /// All samples, by their names.
  static var all: [(name: String, value: Any)] {
    [
      ("greatest", greatest), ("least", least), ("byte", byte), ("wide", wide), ("fraction", fraction), ("tiny", tiny),
      ("huge", huge), ("infinite", infinite), ("yes", yes as Any), ("nothing", nothing as Any),
      ("twiceNothing", twiceNothing as Any), ("nested", nested as Any), ("quoted", quoted), ("marks", marks),
      ("controls", controls), ("family", family), ("interpolation", interpolation), ("letter", letter),
      ("slice", slice),
      ("list", list), ("nobody", nobody), ("optionals", optionals), ("hashables", hashables), ("names", names),
      ("table", table), ("range", range), ("closed", closed), ("result", result), ("options", options), ("box", box),
      ("inner", inner), ("stamp", stamp), ("choice", choice as Any), ("keyword", keyword), ("noLabel", noLabel),
      ("labelled", labelled), ("money", money as Any), ("wrong", wrong), ("loose", loose), ("looseList", looseList),
      ("payloads", payloads), ("empty", empty), ("seconds", seconds as Any),
      ("milliseconds", milliseconds), ("attoseconds", attoseconds), ("date", date), ("data", data),
      ("longData", longData), ("address", address as Any), ("relative", relative as Any), ("id", id), ("price", price),
      ("width", width),
    ]
  }
}
