// swift-format-ignore-file

import ArborEntities
import Foundation
import Testing

struct PlacedTests {
  @Test func combinations() {
    expect(
      Placed.optional(Leaf.byte),
      known: -3,
      unknown: -3 as Int8?
    )
    expect(
      Placed.list(Leaf.byte),
      known: [-3, nil],
      unknown: [-3, nil] as [Int8?]
    )
    expect(
      Placed.table(Leaf.byte),
      known: [-3: -3],
      unknown: [-3: -3] as [Int8: Int8]
    )
    expect(
      Placed.box(Leaf.byte),
      known: Sampled.Box<Int8?>(content: -3),
      unknown: Sampled.Box<Int8?>(content: -3)
    )
    expect(
      Placed.result(Leaf.byte),
      known: .success(-3),
      unknown: Result<Int8, Sampled.Refusal>.success(-3)
    )
    expect(
      Placed.optional(Leaf.bytes),
      known: (-3 as Int8)...(-1 as Int8),
      unknown: (-3 as Int8)...(-1 as Int8) as ClosedRange<Int8>?
    )
    expect(
      Placed.list(Leaf.bytes),
      known: [(-3 as Int8)...(-1 as Int8), nil],
      unknown: [(-3 as Int8)...(-1 as Int8), nil] as [ClosedRange<Int8>?]
    )
    expect(
      Placed.table(Leaf.bytes),
      known: [(-3 as Int8)...(-1 as Int8): (-3 as Int8)...(-1 as Int8)],
      unknown: [(-3 as Int8)...(-1 as Int8): (-3 as Int8)...(-1 as Int8)] as [ClosedRange<Int8>: ClosedRange<Int8>]
    )
    expect(
      Placed.box(Leaf.bytes),
      known: Sampled.Box<ClosedRange<Int8>?>(content: (-3 as Int8)...(-1 as Int8)),
      unknown: Sampled.Box<ClosedRange<Int8>?>(content: (-3 as Int8)...(-1 as Int8))
    )
    expect(
      Placed.result(Leaf.bytes),
      known: .success((-3 as Int8)...(-1 as Int8)),
      unknown: Result<ClosedRange<Int8>, Sampled.Refusal>.success((-3 as Int8)...(-1 as Int8))
    )
    expect(
      Placed.optional(Leaf.raw),
      known: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)),
      unknown: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)) as (`Raw type, with: <marks>`<[Int]>)?
    )
    expect(
      Placed.list(Leaf.raw),
      known: [`Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)), nil],
      unknown: [`Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)), nil] as [(`Raw type, with: <marks>`<[Int]>)?]
    )
    expect(
      Placed.table(Leaf.raw),
      known: [`Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)): `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1))],
      unknown: [`Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)): `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1))] as [`Raw type, with: <marks>`<[Int]>: `Raw type, with: <marks>`<[Int]>]
    )
    expect(
      Placed.box(Leaf.raw),
      known: Sampled.Box<(`Raw type, with: <marks>`<[Int]>)?>(content: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1))),
      unknown: Sampled.Box<(`Raw type, with: <marks>`<[Int]>)?>(content: `Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)))
    )
    expect(
      Placed.result(Leaf.raw),
      known: .success(`Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1))),
      unknown: Result<`Raw type, with: <marks>`<[Int]>, Sampled.Refusal>.success(`Raw type, with: <marks>`<[Int]>(`the content`: [-1], self: .`of.three`(`a label`: -1)))
    )
    expect(
      Placed.optional(Leaf.failing),
      known: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!,
      unknown: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)! as RawValues.Failing?
    )
    expect(
      Placed.list(Leaf.failing),
      known: [(RawValues.Failing(rawValue: -1) as RawValues.Failing?)!, nil],
      unknown: [(RawValues.Failing(rawValue: -1) as RawValues.Failing?)!, nil] as [RawValues.Failing?]
    )
    expect(
      Placed.table(Leaf.failing),
      known: [(RawValues.Failing(rawValue: -1) as RawValues.Failing?)!: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!],
      unknown: [(RawValues.Failing(rawValue: -1) as RawValues.Failing?)!: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!] as [RawValues.Failing: RawValues.Failing]
    )
    expect(
      Placed.box(Leaf.failing),
      known: Sampled.Box<RawValues.Failing?>(content: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!),
      unknown: Sampled.Box<RawValues.Failing?>(content: (RawValues.Failing(rawValue: -1) as RawValues.Failing?)!)
    )
    expect(
      Placed.result(Leaf.failing),
      known: .success((RawValues.Failing(rawValue: -1) as RawValues.Failing?)!),
      unknown: Result<RawValues.Failing, Sampled.Refusal>.success((RawValues.Failing(rawValue: -1) as RawValues.Failing?)!)
    )
    expect(
      Placed.optional(Leaf.id),
      known: -7,
      unknown: -7 as (TypedID<RawValues.Certain, Int>)?
    )
    expect(
      Placed.list(Leaf.id),
      known: [-7, nil],
      unknown: [-7, nil] as [(TypedID<RawValues.Certain, Int>)?]
    )
    expect(
      Placed.table(Leaf.id),
      known: [-7: -7],
      unknown: [-7: -7] as [TypedID<RawValues.Certain, Int>: TypedID<RawValues.Certain, Int>]
    )
    expect(
      Placed.box(Leaf.id),
      known: Sampled.Box<(TypedID<RawValues.Certain, Int>)?>(content: -7),
      unknown: Sampled.Box<(TypedID<RawValues.Certain, Int>)?>(content: -7)
    )
    expect(
      Placed.result(Leaf.id),
      known: .success(-7),
      unknown: Result<TypedID<RawValues.Certain, Int>, Sampled.Refusal>.success(-7)
    )
    expect(
      Placed.optional(Leaf.unnamed),
      known: Label.none,
      unknown: Label.none as Label?
    )
    expect(
      Placed.list(Leaf.unnamed),
      known: [Label.none, nil],
      unknown: [Label.none, nil] as [Label?]
    )
    expect(
      Placed.table(Leaf.unnamed),
      known: [.none: .none],
      unknown: [.none: .none] as [Label: Label]
    )
    expect(
      Placed.box(Leaf.unnamed),
      known: Sampled.Box<Label?>(content: Label.none),
      unknown: Sampled.Box<Label?>(content: Label.none)
    )
    expect(
      Placed.result(Leaf.unnamed),
      known: .success(.none),
      unknown: Result<Label, Sampled.Refusal>.success(.none)
    )
  }
}
