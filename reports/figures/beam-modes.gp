# SPDX-License-Identifier: MIT
#
# impactcheck study beam-modes --out beam-modes.csv
# gnuplot -c reports/figures/beam-modes.gp beam-modes.csv beam-modes.svg    (or .png)
#
# What a rotating beam does with 1 to 16 bending modes: what settles, and what does not.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1200, 800 font "sans,12" } \
else { set terminal svg size 1200, 800 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

set xrange [0.5:16.5]
set xtics (1, 3, 5, 7, 10, 13, 16)
set grid lt 1 lc rgb "#e0e0e0"
set tics out nomirror
unset key
set style line 1 lc rgb "#0072b2" lw 2 pt 7 ps 0.9
set style line 2 lc rgb "#d55e00" lw 2 pt 7 ps 0.9
set arrow 1 from first 3, graph 0 to first 3, graph 1 nohead lt 1 dt (6,4) lw 1.5 lc rgb "#606060"

set multiplot layout 2, 3 title "Rotating beam against a stop with N bending modes, on assumed data; dashed: the paper's N = 3" \
    margins 0.085, 0.985, 0.085, 0.88 spacing 0.085, 0.15
set title "time of the first contact"
set ylabel "t / ms"
plot csv using (column("N")):(1e3 * column("contact_time")) with linespoints ls 1
set title "peak deflection of the tip"
set ylabel "|w(l)| / mm"
set yrange [0:25]
plot csv using (column("N")):(1e3 * column("peak_deflection")) with linespoints ls 1
set title "peak contact force"
set ylabel "F / kN"
set yrange [0:3.5]
plot csv using (column("N")):(column("peak_force") / 1e3) with linespoints ls 1
set xlabel "number of modes N"
set title "restitution of the first contact"
set ylabel "e"
set yrange [0:0.5]
plot csv using (column("N")):(column("restitution")) with linespoints ls 2
set title "rebound rate after all contacts"
set ylabel "H/J / (rad/s)"
set yrange [-6:0]
plot csv using (column("N")):(column("rebound")) with linespoints ls 2
set title "mean acceleration in the first contact"
set ylabel "θ'' / (10^3 rad/s^2)"
set yrange [*:*]
plot csv using (column("N")):(column("mean_acceleration") / 1e3) with linespoints ls 2
unset multiplot
