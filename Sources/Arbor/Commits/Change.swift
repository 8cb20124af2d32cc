/// Changes a state at its place in memory; called with nil where there is none. Says whether it has done so.
@usableFromInline
typealias Change = (_ state: UnsafeMutableRawPointer?) -> Bool
