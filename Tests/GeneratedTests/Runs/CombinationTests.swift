// swift-format-ignore-file

import ArborEntities
import Foundation
import Testing

struct CombinationTests {
  @Test func combinations() {
    expect(
      Placed.alone(Leaf.number),
      known: -1,
      unknown: -1
    )
    expect(
      Placed.twice(Leaf.number),
      known: -1,
      unknown: -1 as Int??
    )
    expect(
      Placed.alone(Leaf.byte),
      known: -3,
      unknown: -3 as Int8
    )
    expect(
      Placed.twice(Leaf.byte),
      known: -3,
      unknown: -3 as Int8??
    )
    expect(
      Placed.alone(Leaf.fraction),
      known: -0.5,
      unknown: -0.5
    )
    expect(
      Placed.twice(Leaf.fraction),
      known: -0.5,
      unknown: -0.5 as Double??
    )
    expect(
      Placed.alone(Leaf.infinity),
      known: -Float.infinity,
      unknown: -Float.infinity
    )
    expect(
      Placed.twice(Leaf.infinity),
      known: -Float.infinity,
      unknown: -Float.infinity as Float??
    )
    expect(
      Placed.alone(Leaf.range),
      known: -3..<(-1),
      unknown: -3..<(-1)
    )
    expect(
      Placed.twice(Leaf.range),
      known: -3..<(-1),
      unknown: -3..<(-1) as Range<Int>??
    )
    expect(
      Placed.alone(Leaf.bytes),
      known: (-3 as Int8)...(-1 as Int8),
      unknown: (-3 as Int8)...(-1 as Int8)
    )
    expect(
      Placed.twice(Leaf.bytes),
      known: (-3 as Int8)...(-1 as Int8),
      unknown: (-3 as Int8)...(-1 as Int8) as ClosedRange<Int8>??
    )
    expect(
      Placed.alone(Leaf.fractions),
      known: -0.5...(-0.25),
      unknown: -0.5...(-0.25)
    )
    expect(
      Placed.twice(Leaf.fractions),
      known: -0.5...(-0.25),
      unknown: -0.5...(-0.25) as ClosedRange<Double>??
    )
    expect(
      Placed.alone(Leaf.limits),
      known: -Double.infinity...(-1.7976931348623157e+308),
      unknown: -Double.infinity...(-1.7976931348623157e+308)
    )
    expect(
      Placed.twice(Leaf.limits),
      known: -Double.infinity...(-1.7976931348623157e+308),
      unknown: -Double.infinity...(-1.7976931348623157e+308) as ClosedRange<Double>??
    )
    expect(
      Placed.alone(Leaf.raw),
      known: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)),
      unknown: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1))
    )
    expect(
      Placed.twice(Leaf.raw),
      known: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)),
      unknown: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)) as ((`Raw type, with: <marks>`<[Int]>)?)?
    )
    expect(
      Placed.alone(Leaf.keyword),
      known: `repeat`(class: -1),
      unknown: `repeat`(class: -1)
    )
    expect(
      Placed.twice(Leaf.keyword),
      known: `repeat`(class: -1),
      unknown: `repeat`(class: -1) as `repeat`??
    )
    expect(
      Placed.alone(Leaf.certain),
      known: (RawValues.Certain(rawValue: -1) as RawValues.Certain?)!,
      unknown: (RawValues.Certain(rawValue: -1) as RawValues.Certain?)!
    )
    expect(
      Placed.twice(Leaf.certain),
      known: (RawValues.Certain(rawValue: -1) as RawValues.Certain?)!,
      unknown: (RawValues.Certain(rawValue: -1) as RawValues.Certain?)! as RawValues.Certain??
    )
    expect(
      Placed.alone(Leaf.failing),
      known: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!,
      unknown: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!
    )
    expect(
      Placed.twice(Leaf.failing),
      known: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!,
      unknown: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)! as RawValues.Failing??
    )
    expect(
      Placed.alone(Leaf.computed),
      known: (RawValues.Computed(rawValue: "a") as RawValues.Computed?)!,
      unknown: (RawValues.Computed(rawValue: "a") as RawValues.Computed?)!
    )
    expect(
      Placed.twice(Leaf.computed),
      known: (RawValues.Computed(rawValue: "a") as RawValues.Computed?)!,
      unknown: (RawValues.Computed(rawValue: "a") as RawValues.Computed?)! as RawValues.Computed??
    )
    expect(
      Placed.alone(Leaf.id),
      known: -7,
      unknown: TypedID<RawValues.Certain, Int>(-7)
    )
    expect(
      Placed.twice(Leaf.id),
      known: TypedID<RawValues.Certain, Int>(-7),
      unknown: TypedID<RawValues.Certain, Int>(-7) as ((TypedID<RawValues.Certain, Int>)?)?
    )
    expect(
      Placed.alone(Leaf.name),
      known: #"a "b""#,
      unknown: TypedID<RawValues.Certain, String>(#"a "b""#)
    )
    expect(
      Placed.twice(Leaf.name),
      known: TypedID<RawValues.Certain, String>(#"a "b""#),
      unknown: TypedID<RawValues.Certain, String>(#"a "b""#) as ((TypedID<RawValues.Certain, String>)?)?
    )
    expect(
      Placed.alone(Leaf.uuid),
      known: TypedID(UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!),
      unknown: TypedID<RawValues.Certain, UUID>(UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!)
    )
    expect(
      Placed.twice(Leaf.uuid),
      known: TypedID<RawValues.Certain, UUID>(UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!),
      unknown: TypedID<RawValues.Certain, UUID>(UUID(uuidString: "6B29FC40-CA47-1067-B31D-00DD010662DA")!) as ((TypedID<RawValues.Certain, UUID>)?)?
    )
    expect(
      Placed.alone(Leaf.unnamed),
      known: .none,
      unknown: Label.none
    )
    expect(
      Placed.twice(Leaf.unnamed),
      known: Label.none,
      unknown: Label.none as Label??
    )
    expect(
      Placed.alone(Leaf.pairs),
      known: [-1: [-3: -4, -2: nil]],
      unknown: [-1: [-3: -4, -2: nil]] as [Int: [Int: Int8?]]
    )
    expect(
      Placed.twice(Leaf.pairs),
      known: [-1: [-3: -4, -2: nil]],
      unknown: [-1: [-3: -4, -2: nil]] as (([Int: [Int: Int8?]])?)?
    )
  }
}
