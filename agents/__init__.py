"""The walk over a graph, the roles that steer it and the policies that play the roles."""
