// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TodosApp",
  platforms: [.macOS(.v14), .iOS(.v17)],
  dependencies: [
    // Named, because the folder of a clone may be called anything.
    .package(name: "Arbor", path: "../..")
  ],
  targets: [
    .executableTarget(
      name: "TodosApp",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborEntities", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
        .product(name: "ArborUI", package: "Arbor"),
      ],
      // `Core` is a link to the sources of the terminal's program; what reads and prints lines stays there.
      exclude: ["Core/Terminal"],
      swiftSettings: [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
      ]
    )
  ],
  swiftLanguageModes: [.v6]
)
