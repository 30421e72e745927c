"""The cluster tier: blocks run by the workers of a Dask cluster, each with the engines that it has.

It imports nothing, because the options of a run hold a `ClusterChoice`, and the tier reads them.
"""
