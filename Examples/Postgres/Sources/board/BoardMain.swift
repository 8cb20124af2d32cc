import Foundation

@main
enum BoardMain {
  static func main() async {
    let status = await Program.run(arguments: Array(CommandLine.arguments.dropFirst()))
    TerminalRestorer.restore()
    fflush(nil)
    // Not `exit`: it would free objects of a thread that is about to connect to a database through OpenSSL.
    _exit(status)
  }
}
