/// The layers of a module: folders of its sources, each of which names only those below it.
struct Layers: Sendable {
  /// A folder, by its path in the module. The module's own folder is "".
  typealias Layer = String

  /// The layers from the top down. The layers of one row do not name each other.
  let rows: [[Layer]]

  /// Exceptions within a row: the layers that a layer may name.
  let neighbors: [Layer: Set<Layer>]

  /// How many files of a layer may name each other in a circle; none for other layers.
  let circles: [Layer: Int]

  func row(of layer: Layer) -> Int? {
    rows.firstIndex { $0.contains(layer) }
  }

  /// Returns `true` if a file of one layer may name the declarations of another.
  func mayName(_ named: Layer, from layer: Layer) -> Bool {
    guard named != layer else { return true }
    guard let namedRow = row(of: named), let row = row(of: layer) else { return false }
    return namedRow > row || neighbors[layer]?.contains(named) == true
  }

  /// The layers that may name the declarations of a layer, including that layer.
  func layers(thatMayName named: Layer) -> [Layer] {
    rows.joined().filter { mayName(named, from: $0) }
  }
}

extension Layers {
  /// The layers of `ArborCore`.
  static let core = Layers(
    rows: [
      ["Factories"],
      ["Features"],
      ["Interceptors"],
      ["Stores"],
      ["Steps"],
      ["Kernel"],
      ["Ground"],
    ],
    neighbors: [:],
    // A tree, its nodes and its entries know each other.
    circles: ["Kernel": 8]
  )

  /// The layers of `Arbor`, above those of `ArborCore`.
  static let toolkit = Layers(
    rows: [
      [""],
      ["History"],
      ["Effects", "Watching", "Commits", "Activities", "Monitoring", "Interceptors"],
      ["ScopedFeatures"],
      ["Tasks"],
      ["Values"],
    ],
    // Activities are delivered like states. Values are written to the parts of commit stores, and jobs end by commits.
    neighbors: ["Activities": ["Watching"], "Commits": ["Watching", "Effects"]],
    // A table, its tasks and their lanes know each other.
    circles: ["Tasks": 3]
  )
}

extension Layers {
  /// The layers of `ArborEntities`, above those of `Arbor`. The module's own folder contains the tables.
  static let entities = Layers(
    rows: [
      ["Differences", "Watching"],
      ["Indexes"],
      [""],
      ["IndexStorage"],
      ["Records"],
      ["Trie"],
    ],
    neighbors: [:],
    circles: [:]
  )
}

extension Layers {
  /// The layers that all capabilities are attached to.
  static let kernel: Set<Layer> = ["Kernel", "Steps", "Stores"]

  /// The first letters of words for the capabilities that were once part of the kernel: traveling, holding an action,
  /// adding later, sharing, recording, history, derived values, deliveries on the main actor.
  private static let capabilities = [
    "travel", "held", "addition", "share", "sharing", "record", "histor", "derive", "derivation", "main",
  ]

  /// Returns `true` if one of the words in a name is that of a capability.
  static func namesCapability(_ name: String) -> Bool {
    var words: [String] = []
    for character in name {
      if character.isUppercase || words.isEmpty { words.append("") }
      words[words.count - 1] += character.lowercased()
    }
    return words.contains { word in capabilities.contains { word.hasPrefix($0) } }
  }
}
