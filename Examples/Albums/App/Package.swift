// swift-tools-version: 6.2
import PackageDescription

let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
  name: "AlbumsApp",
  platforms: [.macOS(.v15), .iOS(.v18)],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../../..")
  ],
  targets: [
    // `AlbumServer` and `Core` are links to the sources of the terminal program.
    .target(name: "AlbumServer", swiftSettings: settings),
    .executableTarget(
      name: "AlbumsApp",
      dependencies: [
        "AlbumServer",
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
        .product(name: "ArborRequests", package: "Arbor"),
        .product(name: "ArborUI", package: "Arbor"),
      ],
      exclude: ["Core/Terminal"],
      swiftSettings: settings
    ),
  ],
  swiftLanguageModes: [.v6]
)
