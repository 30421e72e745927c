"""States: grids that functions make of the inputs, and candidates that are states or put together from them."""
