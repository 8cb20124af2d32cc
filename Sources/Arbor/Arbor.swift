// If you import the toolkit, you also import the core. The underscore is needed because the language has no other way
// to re-export a module.
@_exported public import ArborCore
