// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "Albums",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../..")
  ],
  targets: [
    .target(name: "AlbumServer", swiftSettings: settings),
    .target(
      name: "AlbumsCore",
      dependencies: [
        "AlbumServer",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
        .product(name: "ArborRequests", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
    .executableTarget(name: "albums", dependencies: ["AlbumsCore"], swiftSettings: settings),
    .testTarget(
      name: "AlbumsTests",
      dependencies: [
        "AlbumServer",
        "AlbumsCore",
        "albums",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
        .product(name: "ArborRequests", package: "Arbor"),
        .product(name: "ArborRequestsTesting", package: "Arbor"),
        .product(name: "ArborTesting", package: "Arbor"),
      ],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
