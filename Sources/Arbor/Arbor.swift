// Whoever imports the toolkit has the core, too. The underscore: the language has no other way to pass a module on.
@_exported public import ArborCore
