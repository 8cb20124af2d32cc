import Foundation
import LifeCore

@main
enum Life {
  static func main() {
    exit(Program.run(arguments: Array(CommandLine.arguments.dropFirst())))
  }
}
