import Foundation
import TodosCore

@main
enum Todos {
  static func main() {
    exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
