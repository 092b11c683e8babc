"""Games over the network: servers that others join, and joining the servers of others."""
