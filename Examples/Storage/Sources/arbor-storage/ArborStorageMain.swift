import Foundation
import StorageCore

@main
enum ArborStorageMain {
  static func main() {
    exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
