/// Returns when the calling task is canceled.
package func cancellation() async {
  let nothing = AsyncStream<Void> { _ in }
  for await _ in nothing {}
}
