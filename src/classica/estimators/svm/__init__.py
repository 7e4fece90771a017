"""Support vector machines, linear and with kernels, for classes and numbers."""
