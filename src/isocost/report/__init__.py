"""One self-contained HTML page from an audit; needs ``pip install 'isocost[report]'``."""

from isocost.report.page import page_text, write_page

__all__ = ["page_text", "write_page"]
