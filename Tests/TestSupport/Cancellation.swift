/// Returns once the task that waits is cancelled.
package func cancellation() async {
  let nothing = AsyncStream<Void> { _ in }
  for await _ in nothing {}
}
