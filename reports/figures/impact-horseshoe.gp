# SPDX-License-Identifier: MIT
#
# impactcheck study impact-horseshoe --out impact-horseshoe.csv
# gnuplot -c reports/figures/impact-horseshoe.gp impact-horseshoe.csv impact-horseshoe.svg    (or .png)
#
# A horseshoe of the impact map: two sets, and their images, each of which crosses both sets from end to end.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1300, 520 font "sans,12" } \
else { set terminal svg size 1300, 520 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

set tics out nomirror
set style fill transparent solid 0.25 noborder
blue = "#0072b2"
red = "#d55e00"
of(curve, quantity) = strcol("curve") eq curve ? column(quantity) : NaN
# filled polygons are made of the rows of one curve only
rows(curve) = sprintf("< awk -F, 'NR == 1 || $1 == \"%s\"' '%s'", curve, csv)

set multiplot layout 1, 3 title "Horseshoe of the impact map P: the image of each set crosses both sets" \
    margins 0.07, 0.985, 0.14, 0.86 spacing 0.075, 0.1

set title "the plane of impacts"
set xlabel "phase of the forcing at the impact / rad"
set ylabel "speed after the impact" offset 1
set xrange [1.3:4.3]
set yrange [0:0.06]
set ytics 0.01
set key top right samplen 2 spacing 1.15
plot rows("N0") using "phase":"speed" with filledcurves closed fc rgb blue notitle, \
    rows("N1") using "phase":"speed" with filledcurves closed fc rgb red notitle, \
    csv using "phase":(of("N0", "speed")) with lines lw 2 lc rgb blue title "N_0", \
    csv using "phase":(of("N1", "speed")) with lines lw 2 lc rgb red title "N_1", \
    csv using "phase":(of("P(N0)", "speed")) with lines lw 1.2 lc rgb blue title "P(N_0), less 2 turns", \
    csv using "phase":(of("P(N1)", "speed")) with lines lw 1.2 lc rgb red title "P(N_1), less 3 turns", \
    csv using "phase":(of("orbits", "speed")) with points pt 7 ps 0.25 lc rgb "black" title "points of period 6"
unset key

set ytics 0.5
set xrange [-3:3]
set yrange [-1.5:1.5]
do for [i = 0:1] {
    set title sprintf("coordinates of N_%d", i)
    set xlabel "a: −1 and 1 are the edges"
    set ylabel "b: −1 and 1 are the sides"
    a = sprintf("a_%d", i)
    b = sprintf("b_%d", i)
    own = sprintf("N%d", i)
    plot rows(own) using a:b with filledcurves closed fc rgb (i ? red : blue) notitle, \
        csv using a:(of(own, b)) with lines lw 2 lc rgb (i ? red : blue) notitle, \
        csv using a:(of("P(N0)", b)) with lines lw 1.2 lc rgb blue notitle, \
        csv using a:(of("P(N1)", b)) with lines lw 1.2 lc rgb red notitle, \
        csv using a:(of("orbits", b)) with points pt 7 ps 0.25 lc rgb "black" notitle
}
unset multiplot
