import Foundation
import LibraryCore

@main
enum LibraryMain {
  static func main() async {
    exit(await Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
