"""What kernels are made of: bits, random numbers, a hash table, types, compiling and its cache."""
