# SPDX-License-Identifier: MIT
#
# impactcheck sweep roller/III/D --set k=4e8 --set c=4e5 --vary omega=20pi:110pi:1100 --skip 500 --keep 64 --out bifurcation-omega.csv
# gnuplot -c reports/figures/bifurcation-omega.gp bifurcation-omega.csv bifurcation-omega.svg    (or .png)
#
# The roller's bifurcation diagram over the frequency of the vibration, on a stiff soil: period doubling, chaos, windows.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1100, 700 font "sans,13" } \
else { set terminal svg size 1100, 700 font "sans,13" background "white" }
set output ARG2
set datafile separator ","

set grid lt 1 lc rgb "#e0e0e0"
set key inside right top Left reverse samplen 2 spacing 1.3
set title "Roller on a stiff soil (k = 400 MN/m, c = 400 kN s/m) under condition D, at the end of each period"
set xlabel "angular frequency of the vibration ω / (rad/s)"
set ylabel "height of the drum x_2 / mm"
set yrange [-1:16]

in(name) = strcol("mode") eq name ? column("x2") * 1e3 : NaN
plot csv using "omega":(in("flight")) with points pt 7 ps 0.1 lc rgb "#0072b2" notitle, \
    csv using "omega":(in("contact")) with points pt 7 ps 0.1 lc rgb "#d55e00" notitle, \
    NaN with points pt 7 ps 0.8 lc rgb "#0072b2" title "in flight", \
    NaN with points pt 7 ps 0.8 lc rgb "#d55e00" title "in contact"
