"""Audits: is a decision right where it is taken, how sure is that, and what does it cost where it is not.

Rows become sums (tally.py), and sums of parts of the data add up. Measures, intervals, certificates and
bounds see sums only: as frequencies of outcomes at each decision, and at each level of the score.
"""
