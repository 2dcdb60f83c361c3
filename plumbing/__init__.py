"""What all packages use and no game needs: arguments, files, errors, the clock, parallel work, saved results."""
