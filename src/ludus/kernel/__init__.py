"""Rules written once in Python and run at native speed: compiler, dispatch, states, random numbers, deadlines."""
