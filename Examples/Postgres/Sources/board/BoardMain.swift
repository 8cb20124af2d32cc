import Foundation

@main
enum BoardMain {
  static func main() async {
    let status = await Program.run(arguments: Array(CommandLine.arguments.dropFirst()))
    TerminalRestorer.restore()
    fflush(nil)
    // Not by `exit`: it would free what a thread uses that is about to connect to a database by OpenSSL.
    _exit(status)
  }
}
