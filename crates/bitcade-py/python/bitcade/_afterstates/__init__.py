"""The results of `afterstates`, which the native module returns and the game's module names."""
