# SPDX-License-Identifier: MIT
#
# impactcheck study impulse-paths --out impulse-paths.csv
# gnuplot -c reports/figures/impulse-paths.gp impulse-paths.csv impulse-paths.svg    (or .png)
#
# The impact in the plane of impulses, after Kecskemethy & Lange 1999, Fig. 3.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1150, 760 font "sans,13" } \
else { set terminal svg size 1150, 760 font "sans,13" background "white" }
set output ARG2
set datafile separator ","

set xlabel "tangential impulse P_x / (N s)"
set ylabel "normal impulse P_y / (N s)"
set title "Planar bar, μ = 1, φ = 45°: path of the impulse, compliant and rigid"
set size ratio -1
set grid lt 1 lc rgb "#e0e0e0"
set key outside right top vertical Left reverse samplen 3 spacing 1.3
set xrange [-0.75:0.45]
set yrange [0:1]

P_y(name) = strcol("curve") eq name ? column("P_y") : NaN
# one mark where a path ends
end(name) = strcol("curve") eq name && strcol("mode") eq "lifted-off" ? column("P_y") : NaN
# changes between sticking and sliding: the row before each
change(name) = strcol("curve") eq name && (strcol("event") eq "stop" || strcol("event")[1:4] eq "slip") ? column("P_y") : NaN

plot csv using "P_x":(P_y("line-of-sliding")) with lines dt 2 lc rgb "#909090" title "line of sliding", \
    csv using "P_x":(P_y("line-of-sticking")) with lines dt 3 lw 1.5 lc rgb "#909090" title "line of sticking, v_x = 0", \
    csv using "P_x":(P_y("line-of-compression-end")) with lines dt 4 lc rgb "#909090" title "end of compression, v_y = 0", \
    csv using "P_x":(P_y("newton")) with lines lw 1 lc rgb "#404040" title "rigid path", \
    csv using "P_x":(P_y("kappa-1")) with lines lw 2.5 lc rgb "#0072b2" title "compliant, κ = 1", \
    csv using "P_x":(P_y("kappa-100")) with lines lw 2.5 lc rgb "#d55e00" title "compliant, κ = 100", \
    csv using "P_x":(change("kappa-1")) with points pt 6 ps 0.9 lc rgb "#0072b2" title "changes stick/slip, κ = 1", \
    csv using "P_x":(change("kappa-100")) with points pt 6 ps 0.9 lc rgb "#d55e00" title "changes stick/slip, κ = 100", \
    csv using "P_x":(end("kappa-1")) with points pt 7 ps 1.2 lc rgb "#0072b2" notitle, \
    csv using "P_x":(end("kappa-100")) with points pt 7 ps 1.2 lc rgb "#d55e00" notitle, \
    csv using "P_x":(end("newton")) with points pt 9 ps 1.5 lc rgb "#cc79a7" title "lift-off, Newton", \
    csv using "P_x":(end("stronge")) with points pt 5 ps 1.3 lc rgb "#009e73" title "lift-off, Stronge", \
    csv using "P_x":(end("poisson")) with points pt 11 ps 1.5 lc rgb "#e69f00" title "lift-off, Poisson"
