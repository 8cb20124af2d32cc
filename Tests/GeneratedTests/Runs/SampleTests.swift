import Foundation
import Testing

struct SampleTests {
  @Test func samples() {
    expect(
      Samples.greatest,
      known: 9_223_372_036_854_775_807,
      unknown: 9_223_372_036_854_775_807
    )
    expect(
      Samples.least,
      known: -9_223_372_036_854_775_808,
      unknown: -9_223_372_036_854_775_808 as Int64
    )
    expect(
      Samples.byte,
      known: 200,
      unknown: 200 as UInt8
    )
    expect(
      Samples.wide,
      known: 340_282_366_920_938_463_463_374_607_431_768_211_455,
      unknown: 340_282_366_920_938_463_463_374_607_431_768_211_455 as UInt128
    )
    expect(
      Samples.fraction,
      known: 0.30000000000000004,
      unknown: 0.30000000000000004
    )
    expect(
      Samples.tiny,
      known: Double(bitPattern: 1),
      unknown: Double(bitPattern: 1)
    )
    expect(
      Samples.huge,
      known: 3.4028235e+38,
      unknown: 3.4028235e+38 as Float
    )
    expect(
      Samples.infinite,
      known: -Double.infinity,
      unknown: -Double.infinity
    )
    expect(
      Samples.yes,
      known: true,
      unknown: true as Bool?
    )
    expect(
      Samples.nothing,
      known: nil,
      unknown: Int?.none
    )
    expect(
      Samples.twiceNothing,
      known: .some(nil),
      unknown: .some(nil) as Int??
    )
    expect(
      Samples.nested,
      known: .some(.some(nil)),
      unknown: .some(.some(nil)) as Int???
    )
    expect(
      Samples.quoted,
      known: #"a "word" and \a backslash"#,
      unknown: #"a "word" and \a backslash"#
    )
    expect(
      Samples.marks,
      known: "\"\"#\"##\\",
      unknown: "\"\"#\"##\\"
    )
    expect(
      Samples.controls,
      known: "\0\u{1B}\u{2028}\u{2029}\u{85}\u{FEFF}\u{202E}\r\n\t",
      unknown: "\0\u{1B}\u{2028}\u{2029}\u{85}\u{FEFF}\u{202E}\r\n\t"
    )
    expect(
      Samples.family,
      known: "👩\u{200D}👩\u{200D}👧 e\u{301}",
      unknown: "👩\u{200D}👩\u{200D}👧 e\u{301}"
    )
    expect(
      Samples.interpolation,
      known: "\\(1)",
      unknown: "\\(1)"
    )
    expect(
      Samples.letter,
      known: "é",
      unknown: "é" as Character
    )
    expect(
      Samples.slice,
      known: "cdef",
      unknown: "cdef" as Substring
    )
    expect(
      Samples.list,
      known: [1, -2],
      unknown: [1, -2] as [Int8]
    )
    expect(
      Samples.nobody,
      known: [],
      unknown: [] as [String]
    )
    expect(
      Samples.optionals,
      known: [1, nil],
      unknown: [1, nil] as [Int?]
    )
    expect(
      Samples.hashables,
      known: [AnyHashable(1 as UInt8), AnyHashable("a")],
      unknown: [AnyHashable(1 as UInt8), AnyHashable("a")] as [AnyHashable]
    )
    expect(
      Samples.names,
      known: ["a", "b", "c"],
      unknown: ["a", "b", "c"] as Set<String>
    )
    expect(
      Samples.table,
      known: [9: [:], 10: ["a": true, "b": nil]],
      unknown: [9: [:], 10: ["a": true, "b": nil]] as [Int: [String: Bool?]]
    )
    expect(
      Samples.range,
      known: 1..<9_000_000,
      unknown: 1..<9_000_000
    )
    expect(
      Samples.closed,
      known: (-3 as Int8)...(4 as Int8),
      unknown: (-3 as Int8)...(4 as Int8)
    )
    expect(
      Samples.result,
      known: .failure(.code(1)),
      unknown: Result<Int, Sampled.Refusal>.failure(.code(1))
    )
    expect(
      Samples.options,
      known: Sampled.Options(rawValue: 5),
      unknown: Sampled.Options(rawValue: 5)
    )
    expect(
      Samples.box,
      known: Sampled.Box<[Int?: String]>(content: [1: "a", nil: "b"]),
      unknown: Sampled.Box<[Int?: String]>(content: [1: "a", nil: "b"])
    )
    expect(
      Samples.inner,
      known: Sampled.Box<Int?>.Inner(text: "a"),
      unknown: Sampled.Box<Int?>.Inner(text: "a")
    )
    expect(
      Samples.stamp,
      known: Sampled.Stamp(items: [1, 2], default: (Sampled.Choice(rawValue: 2) as Sampled.Choice?)!),
      unknown: Sampled.Stamp(items: [1, 2], default: (Sampled.Choice(rawValue: 2) as Sampled.Choice?)!)
    )
    expect(
      Samples.choice,
      known: (Sampled.Choice(rawValue: 1) as Sampled.Choice?)!,
      unknown: (Sampled.Choice(rawValue: 1) as Sampled.Choice?)! as Sampled.Choice??
    )
    expect(
      Samples.keyword,
      known: [.`init`, .default, .in(for: 1, true), .`self`(.default), .`two words`],
      unknown: [.`init`, .default, .in(for: 1, true), .`self`(.default), .`two words`] as [Sampled.Keyword]
    )
    expect(
      Samples.noLabel,
      known: [Label.none, nil, .new],
      unknown: [Label.none, nil, .new] as [Label?]
    )
    expect(
      Samples.labelled,
      known: ["a": Label.none, "b": nil, "c": .reduced(percent: 1)],
      unknown: ["a": Label.none, "b": nil, "c": .reduced(percent: 1)] as [String: Label?]
    )
    expect(
      Samples.money,
      known: Sampled.Money(cents: 5),
      unknown: Sampled.Money(cents: 5) as Sampled.Money?
    )
    expect(
      Samples.wrong,
      known: Sampled.Wrong(error: Sampled.Refusal.offline),
      unknown: Sampled.Wrong(error: Sampled.Refusal.offline)
    )
    expect(
      Samples.loose,
      known: Sampled.Loose(number: 1 as UInt8, label: Label.new, rest: Phase.Method.cash, count: 1),
      unknown: Sampled.Loose(number: 1 as UInt8, label: Label.new, rest: Phase.Method.cash, count: 1)
    )
    expect(
      Samples.looseList,
      known: [Sampled.Loose(number: -1.5, label: [1] as [Int8], rest: Phase.Method.cash, count: 1)],
      unknown: [Sampled.Loose(number: -1.5, label: [1] as [Int8], rest: Phase.Method.cash, count: 1)] as [Sampled.Loose]
    )
    expect(
      Samples.payloads,
      known: [.loose(Label.new), .loose(1 as UInt8), .both(Sampled.Refusal.offline, 1)],
      unknown: [.loose(Label.new), .loose(1 as UInt8), .both(Sampled.Refusal.offline, 1)] as [Sampled.Payload]
    )
    expect(
      Samples.empty,
      known: Sampled.Empty(),
      unknown: Sampled.Empty()
    )
    expect(
      Samples.seconds,
      known: .seconds(1_000_000),
      unknown: .seconds(1_000_000) as Duration?
    )
    expect(
      Samples.milliseconds,
      known: .milliseconds(-1500),
      unknown: Duration.milliseconds(-1500)
    )
    expect(
      Samples.attoseconds,
      known: Duration(secondsComponent: 1, attosecondsComponent: 1),
      unknown: Duration(secondsComponent: 1, attosecondsComponent: 1)
    )
    expect(
      Samples.date,
      known: Date(timeIntervalSinceReferenceDate: 1234.5),
      unknown: Date(timeIntervalSinceReferenceDate: 1234.5)
    )
    expect(
      Samples.data,
      known: Data([1, 2, 3]),
      unknown: Data([1, 2, 3])
    )
    expect(
      Samples.longData,
      known: Data(base64Encoded: "AAECAwQFBgcICQoLDA0ODxAREhM=")!,
      unknown: Data(base64Encoded: "AAECAwQFBgcICQoLDA0ODxAREhM=")!
    )
    expect(
      Samples.address,
      known: URL(string: "https://example.org/a?b=c#d")!,
      unknown: URL(string: "https://example.org/a?b=c#d")! as URL?
    )
    expect(
      Samples.relative,
      known: URL(string: "b/c", relativeTo: URL(string: "https://example.org/a/")!)!,
      unknown: URL(string: "b/c", relativeTo: URL(string: "https://example.org/a/")!)! as URL?
    )
    expect(
      Samples.id,
      known: UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!,
      unknown: UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!
    )
    expect(
      Samples.price,
      known: Decimal(string: "-12.34")!,
      unknown: Decimal(string: "-12.34")!
    )
    expect(
      Samples.width,
      known: 0.5,
      unknown: 0.5 as CGFloat
    )
  }
}
