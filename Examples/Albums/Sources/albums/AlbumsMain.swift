import AlbumsCore
import Foundation

@main
enum Albums {
  static func main() async {
    exit(await Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
