"""What every room uses and no game needs: arguments, files, errors, the clock, work on all cores, kept results."""
