# SPDX-License-Identifier: Apache-2.0
"""Draws the falling ladder of scripts/demo as a stroboscopic picture.

usage: make_ladder.py results/ladder/trajectory.csv docs/images/ladder.svg

Reads the positions and attitudes of all bodies at a few times and draws every rod, of length 1 m
along its body x axis, in the x-z plane.
"""

import csv
import sys

TIMES = [0.0, 0.6, 1.2, 1.8, 2.4, 3.0]
COLOURS = ["#c6dbef", "#9ecae1", "#6baed6", "#4292c6", "#2171b5", "#08306b"]
SCALE = 36.0  # pixels a metre
HALF = 0.5  # half length of a rod [m]


def rod_ends(row, name):
    """The two ends of a rod in the x-z plane: centre ± half length × R (1, 0, 0)."""
    x, z = float(row[f"{name}.x"]), float(row[f"{name}.z"])
    w, qx, qy, qz = (float(row[f"{name}.{part}"]) for part in ("qw", "qx", "qy", "qz"))
    ux = 1.0 - 2.0 * (qy * qy + qz * qz)
    uz = 2.0 * (qx * qz - w * qy)
    return (x - HALF * ux, z - HALF * uz), (x + HALF * ux, z + HALF * uz)


def main(source, target):
    with open(source, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    names = [key[:-2] for key in rows[0] if key.endswith(".x") and not key.endswith(".qx")]
    poses = []
    for time in TIMES:
        row = min(rows, key=lambda candidate: abs(float(candidate["t"]) - time))
        poses.append((time, [rod_ends(row, name) for name in names]))

    points = [point for _, rods in poses for rod in rods for point in rod]
    left, right = min(p[0] for p in points) - 2, max(p[0] for p in points) + 2
    bottom, top = min(p[1] for p in points) - 1, max(p[1] for p in points) + 1.5

    def place(point):
        return f"{(point[0] - left) * SCALE:.1f},{(top - point[1]) * SCALE:.1f}"

    width, height = (right - left) * SCALE, (top - bottom) * SCALE
    lines = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
             f'width="{width:.0f}" height="{height:.0f}" font-family="sans-serif" font-size="15">',
             f'<rect width="{width:.0f}" height="{height:.0f}" fill="white"/>']
    for (time, rods), colour in zip(poses, COLOURS):
        path = " ".join(f"M{place(a)}L{place(b)}" for a, b in rods)
        lines.append(f'<path d="{path}" stroke="{colour}" stroke-width="4" '
                     'stroke-linecap="round" fill="none"/>')
        tip = max((end for rod in rods[-3:] for end in rod), key=lambda p: p[0] ** 2 + p[1] ** 2)
        side, anchor = (0.3, "start") if tip[0] > 0 else (-0.3, "end")
        x, y = place((tip[0] + side, tip[1] - 0.2)).split(",")
        lines.append(f'<text x="{x}" y="{y}" text-anchor="{anchor}" '
                     f'fill="{COLOURS[-1]}">{time:g} s</text>')
    pin = place((0.0, 0.0)).split(",")
    lines.append(f'<circle cx="{pin[0]}" cy="{pin[1]}" r="7" fill="#d95f02"/>')
    lines.append("</svg>")
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
