import Foundation
import TodosCore

@main
enum Todos {
  static func main() async {
    exit(await Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
