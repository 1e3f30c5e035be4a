# SPDX-License-Identifier: MIT
#
# impactcheck sweep roller/III/D --vary c=5e4:6e5:1100 --skip 500 --keep 64 --out bifurcation-c.csv
# gnuplot -c reports/figures/bifurcation-c.gp bifurcation-c.csv bifurcation-c.svg    (or .png)
#
# The roller's bifurcation diagram over the damping of the soil, and where its period doubles: the squared distance of successive strobes
# grows linearly from there, and a parabola through it, away from the point itself where motions settle slowly, says where it is zero.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1100, 900 font "sans,13" } \
else { set terminal svg size 1100, 900 font "sans,13" background "white" }
set output ARG2
set datafile separator ","

# by verify, period 2 below and 1 above (reference/published/claims-roller.csv, doubling-D)
critical = 507.4
set arrow from critical, graph 0 to critical, graph 1 nohead dt 2 lc rgb "#606060" front
kilo = 1e-3
set grid lt 1 lc rgb "#e0e0e0"
set key at graph 0.83, graph 0.97 right top Left reverse samplen 2 spacing 1.3
set xlabel "damping of the soil c / (kN s/m)"
set lmargin 12

# squared distance of a strobe from the one before it in its lane, mm²
lane = -1
x = NaN
step(of, now) = (d = of == lane ? (now - x) ** 2 * 1e6 : NaN, lane = of, x = now, d)
from = 430
to = 495
squared(c) = a * (c0 - c) + b * (c0 - c) ** 2
a = 0.01
b = 1e-5
c0 = 500
set fit quiet nolog
fit [from:to] squared(x) csv using (column("c") * kilo):(step(column("lane"), column("x2"))) via a, b, c0

set multiplot layout 2, 1
set title "Roller III under condition D: height of the drum at the end of each period"
set ylabel "x_2 / mm"
set yrange [-1:4]
plot csv using (column("c") * kilo):(column("x2") * 1e3) with dots lc rgb "#0072b2" notitle, \
    NaN with lines dt 2 lc rgb "#606060" title sprintf("period doubling by verify: %.1f kN s/m", critical)
set title "Distance of successive strobes"
set ylabel "(x_2(t + T) − x_2(t))² / mm²"
set xrange [from:520]
set yrange [0:*]
lane = -1
plot csv using (column("c") * kilo):(step(column("lane"), column("x2"))) with points pt 7 ps 0.35 \
        lc rgb "#0072b2" title "measured", \
    [from:c0] squared(x) with lines lw 2 lc rgb "#d55e00" \
        title sprintf("parabola up to %.0f: 0 at %.1f kN s/m", to, c0), \
    NaN with lines dt 2 lc rgb "#606060" title sprintf("period doubling by verify: %.1f kN s/m", critical)
unset multiplot
