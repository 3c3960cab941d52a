"""Audits of predictions: exact quantities of a finite instance, and what theory says about them."""
