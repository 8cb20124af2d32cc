// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Todos",
  platforms: [.macOS(.v13)],
  dependencies: [.package(name: "Arbor", path: "../Arbor")],
  targets: [
    .executableTarget(
      name: "Todos",
      dependencies: [
        .product(name: "Arbor", package: "Arbor"),
        .product(name: "ArborPersistence", package: "Arbor"),
      ]
    )
  ]
)
