// swift-tools-version: 6.2

// The programs and tests of the tutorials at the steps whose text shows an output. Each folder has symbolic links to the files of
// its step. `Readme` has the program of the README, and `GettingStarted` and `Notes` have the packages of articles.
import PackageDescription

let modules: [Target.Dependency] = ["Arbor", "ArborDevTools", "ArborEntities", "ArborPersistence", "ArborRequests"]
  .map { .product(name: $0, package: "Arbor") }

/// A program with the name of a step, or with that of the reader's package: the last of a tutorial, which its tests import.
func program(_ step: String, named name: String? = nil, at path: String? = nil) -> Target {
  .executableTarget(
    name: name ?? step,
    dependencies: modules,
    path: path ?? "Sources/\(step)",
    swiftSettings: [.treatAllWarnings(as: .error)]
  )
}

func tests(of program: String, at path: String? = nil) -> Target {
  .testTarget(
    name: "\(program)Tests",
    dependencies: [
      .target(name: program),
      .product(name: "ArborRequestsTesting", package: "Arbor"),
      .product(name: "ArborTesting", package: "Arbor"),
    ],
    path: path,
    swiftSettings: [.treatAllWarnings(as: .error)]
  )
}

let programs = [
  program("todo-list-05"),
  program("todo-list-06"),
  program("todo-list-08"),
  program("todo-list-10", named: "Todos"),
  program("birds-05"),
  program("birds-07"),
  program("birds-09"),
  program("birds-12"),
  program("birds-13"),
  program("birds-14", named: "Birds"),
  program("Readme", at: "Readme/Sources/App"),
  program("App", at: "GettingStarted/Sources/App"),
  program("Notes", at: "Notes/Sources/Notes"),
]

let package = Package(
  name: "Tutorials",
  platforms: [.macOS(.v13)],
  dependencies: [
    // Named, because the folder of a clone can have any name.
    .package(name: "Arbor", path: "../..")
  ],
  targets: programs + [
    tests(of: "Todos"),
    tests(of: "Birds"),
    tests(of: "App", at: "GettingStarted/Tests/AppTests"),
    tests(of: "Notes", at: "Notes/Tests/NotesTests"),
    .testTarget(name: "ProgramTests", dependencies: programs.map { .target(name: $0.name) }),
  ],
  swiftLanguageModes: [.v6]
)
