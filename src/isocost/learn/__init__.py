"""Estimators and objectives that train the scalar; needs ``isocost[learn]``."""
