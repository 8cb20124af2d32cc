// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Todos",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../..")
  ],
  targets: [
    .target(
      name: "TodosCore",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborDevTools", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(name: "todos", dependencies: ["TodosCore"], swiftSettings: settings),
    .testTarget(
      name: "TodosTests",
      dependencies: [
        "TodosCore",
        "todos",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
        .product(name: "ArborTesting", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
