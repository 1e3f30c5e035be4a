# SPDX-License-Identifier: MIT
#
# impactcheck study impact-speed --out impact-speed.csv
# gnuplot -c reports/figures/impact-speed.gp impact-speed.csv impact-speed.svg    (or .png)
#
# Restitution and greatest force over the impact speed, after Wang et al. 2018, Figs. 2 and 5.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1100, 800 font "sans,12" } \
else { set terminal svg size 1100, 800 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

set xrange [0:0.55]
set grid lt 1 lc rgb "#e0e0e0"
set tics out nomirror
of(specimen, quantity) = strcol("specimen") eq specimen ? column(quantity) : NaN

set multiplot layout 2, 2 title "Steel ball on two specimens: experiment (Zhang and Sharf) and model (Wang et al. 2018)" \
    margins 0.09, 0.97, 0.09, 0.88 spacing 0.09, 0.13
do for [i = 1:4] {
    specimen = word("C1 C2 C1 C2", i)
    quantity = i <= 2 ? "restitution" : "force"
    set title "specimen " . specimen
    set xlabel i <= 2 ? "" : "impact speed v_0 / (m/s)"
    if (i <= 2) { set yrange [0.7:1]; set ylabel "coefficient of restitution"; set key bottom left Left reverse spacing 1.2 } \
    else { set yrange [0:6000]; set ylabel "greatest force / N"; set key top left Left reverse spacing 1.2 }
    plot csv using "v0":(of(specimen, quantity)) with lines lw 2 lc rgb "#0072b2" title "model, here", \
        csv using "v0":(of(specimen, quantity . "_printed")) with points pt 6 ps 1.3 lc rgb "#d55e00" title "model, as printed", \
        csv using "v0":(of(specimen, quantity . "_measured")) with points pt 7 ps 0.9 lc rgb "#000000" title "experiment"
}
unset multiplot
