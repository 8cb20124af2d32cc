import Foundation

@main
enum BoardMain {
  static func main() async {
    exit(await Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
