"""The measures, one a file: what a number estimates, its unit, and what perfect predictions have."""
