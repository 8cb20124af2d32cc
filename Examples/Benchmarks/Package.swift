// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Benchmarks",
  platforms: [.macOS(.v15)],
  dependencies: [
    .package(name: "Arbor", path: "../.."),
    // Peers for comparison.
    .package(url: "https://github.com/apple/swift-collections", from: "1.6.0"),
  ],
  targets: [
    .executableTarget(
      name: "smallest",
      dependencies: [.product(name: "Arbor", package: "Arbor")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "smallest-core",
      dependencies: [.product(name: "ArborCore", package: "Arbor")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "small",
      dependencies: [.product(name: "Arbor", package: "Arbor")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "small-core",
      dependencies: [.product(name: "ArborCore", package: "Arbor")],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborDevTools", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
        .product(name: "ArborRequests", package: "Arbor"),
        .product(name: "ArborSync", package: "Arbor"),
        .product(name: "ArborTesting", package: "Arbor"),
        .product(name: "ArborUI", package: "Arbor"),
        .product(name: "HashTreeCollections", package: "swift-collections"),
        .product(name: "OrderedCollections", package: "swift-collections"),
        .target(name: "CMalloc", condition: .when(platforms: [.linux])),
        .target(name: "CSQLite", condition: .when(platforms: [.linux])),
      ],
      swiftSettings: settings
    ),
    .systemLibrary(name: "CMalloc"),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
  ],
  swiftLanguageModes: [.v6]
)
