// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Storage",
  platforms: [.macOS(.v15)],
  products: [
    .executable(name: "arbor-storage", targets: ["arbor-storage"])
  ],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../..")
  ],
  targets: [
    .target(
      name: "StorageCore",
      dependencies: [.product(name: "ArborPersistence", package: "Arbor")],
      swiftSettings: settings
    ),
    .executableTarget(name: "arbor-storage", dependencies: ["StorageCore"], swiftSettings: settings),
    .testTarget(
      name: "StorageTests",
      dependencies: [
        "StorageCore",
        "arbor-storage",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
