// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "TodosApp",
  platforms: [.macOS(.v14), .iOS(.v17)],
  dependencies: [
    // Named, because the folder of a clone can have any name.
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
      // `Core` is a link to the sources of the terminal program, without the code that reads and prints lines.
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
