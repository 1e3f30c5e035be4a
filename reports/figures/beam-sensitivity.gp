# SPDX-License-Identifier: MIT
#
# impactcheck study beam-sensitivity --out beam-sensitivity.csv
# gnuplot -c reports/figures/beam-sensitivity.gp beam-sensitivity.csv beam-sensitivity.svg    (or .png)
#
# Sensitivity to the damping of the contact, after Yigit, Ulsoy & Scott 1990, Figs. 9 and 10, for several stops.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1200, 900 font "sans,12" } \
else { set terminal svg size 1200, 900 font "sans,12" background "white" }
set output ARG2
set datafile separator ","
set datafile missing NaN # of other stops, and log(0) at C2 = 500: lines go on

set xrange [0:1000]
set grid lt 1 lc rgb "#e0e0e0"
set tics out nomirror
set style fill transparent solid 0.15 noborder
set key outside right center Left reverse samplen 1.5 title "stop at"
colours = "#000000 #0072b2 #56b4e9 #009e73 #b8a900 #e69f00 #d55e00 #cc79a7"
stops(i) = i == 1 ? "0.2 0.35 0.5 0.65 0.8 1 1.2 1.4" : "0.1 0.2 0.3 0.4 0.5 0.55 0.6 0.7"
ratio(i) = i == 1 ? 0.01 : 1
nonzero(y) = y > 0 ? y : NaN
of(i, stop, y) = abs(column("I_R_ratio") - ratio(i)) < 1e-9 && abs(column("theta_s") - stop) < 1e-9 ? y : NaN

set multiplot layout 2, 2 title "Rotating beam, second damping model: what C2 does to deflection and path of the tip; grey: within the paper's bound" \
    margins 0.07, 0.885, 0.075, 0.90 spacing 0.10, 0.13
do for [i = 1:2] {
    set title sprintf("peak deflection, I_R/I_B = %g", ratio(i))
    unset logscale y
    set ylabel "s_1 / %"
    set yrange [-30:50]
    set ytics 10
    set format y "%g"
    set xlabel i == 2 ? "damping C2 / (kg/s)" : ""
    unset key
    plot csv using ($0 * 1000 / 175):(-5):(5) with filledcurves lc rgb "#000000" notitle, \
        for [k = 1:8] csv using (column("C2")):(of(i, real(word(stops(i), k)), 100 * column("s1"))) \
            with lines lw 2 lc rgb word(colours, k) title word(stops(i), k) . " rad"
    set title sprintf("path of the tip up to 0.2 s, I_R/I_B = %g", ratio(i))
    set ylabel "greatest |s_2| / %"
    set logscale y
    set yrange [0.05:2000]
    set ytics (0.1, 1, 10, 100, 1000)
    set key outside right center Left reverse samplen 1.5 title "stop at"
    plot csv using ($0 * 1000 / 175):(0.05):(6) with filledcurves lc rgb "#000000" notitle, \
        for [k = 1:8] csv using (column("C2")):(of(i, real(word(stops(i), k)), nonzero(100 * abs(column("s2"))))) \
            with lines lw 2 lc rgb word(colours, k) title word(stops(i), k) . " rad"
}
unset multiplot
