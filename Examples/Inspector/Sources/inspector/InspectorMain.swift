import Foundation
import Shop

@main
enum InspectorMain {
  static func main() async {
    exit(await Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
