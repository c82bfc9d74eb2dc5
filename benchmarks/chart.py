"""Bars as an SVG picture: one group of bars per size, lengths by ratio, numbers beside them."""

from __future__ import annotations

from html import escape

BAR, GAP, LABEL, WIDTH = 18, 6, 230, 720


def bars(title: str, groups: list[tuple[str, list[tuple[str, float, str]]]]) -> str:
    """Draw groups of ``(name, value, text)``; the longest bar of a group takes the full width."""
    parts, y = [f'<text x="10" y="22" font-size="15" font-weight="bold">{escape(title)}</text>'], 44
    for heading, rows in groups:
        parts.append(f'<text x="10" y="{y}" font-weight="bold">{escape(heading)}</text>')
        y += GAP
        longest = max(value for _, value, _ in rows) or 1.0
        for name, value, text in rows:
            length = max(1.0, value / longest * (WIDTH - LABEL - 150))
            parts.append(f'<text x="{LABEL - 8}" y="{y + BAR - 5}" text-anchor="end">{escape(name)}</text>')
            parts.append(f'<rect x="{LABEL}" y="{y}" width="{length:.1f}" height="{BAR}" fill="#4a7fb5"/>')
            parts.append(f'<text x="{LABEL + length + 6:.1f}" y="{y + BAR - 5}">{escape(text)}</text>')
            y += BAR + GAP
        y += 22
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{y}" font-family="sans-serif" font-size="12">'
    )
    return "\n".join([head, f'<rect width="{WIDTH}" height="{y}" fill="white"/>', *parts, "</svg>"]) + "\n"
