"""Tables made from results, pure."""
