# SPDX-License-Identifier: MIT
#
# impactcheck study beam-contact-cost --out beam-contact-cost.csv
# gnuplot -c reports/figures/beam-contact-cost.gp beam-contact-cost.csv beam-contact-cost.svg    (or .png)
#
# Work for each impact of the rotating beam, and what it buys, by contact model and solver.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1200, 950 font "sans,12" noenhanced } \
else { set terminal svg size 1200, 950 font "sans,12" noenhanced background "white" }
set output ARG2
set datafile separator ","

here = ARG0[1:strlen(ARG0) - strlen("beam-contact-cost.gp")]
load here . "looks.inc"
solvers = "'dop853' 'rk45_bisection' 'rk4_henon' 'rk4_henon h/10' 'refined_step'"
# a tenth of the step is another solver to the table
colours = sprintf("%s %s %s %s %s", colour("dop853"), colour("rk45_bisection"), colour("rk4_henon"), colour("rk4_henon"), colour("refined_step"))
types = sprintf("%d %d %d %d %d", type("dop853"), type("rk45_bisection"), type("rk4_henon"), type("rk4_henon") - 1, type("refined_step"))
of(solver, y) = strcol("solver") eq solver ? y : NaN
place(row) = floor(row / 5)

set grid lt 1 lc rgb "#e0e0e0"
set tics out nomirror
set xrange [-0.7:17.7]
set logscale y
set format y "%.0e"
set xtics rotate by 35 right

set multiplot layout 2, 1 title "Rotating beam: an impact by contact model and solver, default accuracies" \
    margins 0.085, 0.985, 0.15, 0.89 spacing 0.1, 0.05
set key at screen 0.53, 0.955 center top horizontal maxcols 5 samplen 1
set format x ""
set ylabel "flow calls for each impact"
set yrange [50:1e6]
plot for [k = 1:5] csv using (place($0)):(of(word(solvers, k), column("flow_calls"))) \
    with points pt real(word(types, k)) ps 1.3 lc rgb word(colours, k) title word(solvers, k)
unset key
set format x
set ylabel "greatest error of an event's time / s"
set yrange [1e-15:1e-3]
plot csv using ($0):(of("dop853", column("time_error"))):xtic(strcol("model")) \
    every 5 with points pt 7 ps 1.3 lc rgb word(colours, 1) notitle, \
    for [k = 2:5] "" using (place($0)):(of(word(solvers, k), column("time_error"))) \
    with points pt real(word(types, k)) ps 1.3 lc rgb word(colours, k) notitle
unset multiplot
