// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "Counter",
  platforms: [.macOS(.v15)],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../..")
  ],
  targets: [
    .executableTarget(name: "counter", dependencies: [.product(name: "Arbor", package: "Arbor")])
  ],
  swiftLanguageModes: [.v6]
)
