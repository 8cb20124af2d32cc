/// The error that tasks of the stress test throw.
struct TaskError: Error {}
