# SPDX-License-Identifier: MIT
#
# impactcheck study rigid-limit --out rigid-limit.csv
# gnuplot -c reports/figures/rigid-limit.gp rigid-limit.csv rigid-limit.svg    (or .png)
#
# Distance of the compliant impact's final velocity from Stronge's answer over the ratio of stiffnesses.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1100, 700 font "sans,13" } \
else { set terminal svg size 1100, 700 font "sans,13" background "white" }
set output ARG2
set datafile separator ","

set title "Planar bar: the compliant impact tends to Stronge's answer"
set xlabel "tangential over normal stiffness κ"
set ylabel "distance of the final velocity from Stronge's answer / (m/s)"
set logscale xy
set format "10^{%L}"
set yrange [1e-8:10]
set grid lt 1 lc rgb "#e0e0e0"
set key outside right top vertical Left reverse samplen 2 spacing 1.3

sets = "paper other-angle self-locking nearly-critical critical reversal at-rest"
colours = "#0072b2 #56b4e9 #009e73 #999933 #e69f00 #d55e00 #cc79a7"
to_v(name) = strcol("set") eq name && strcol("hypothesis") eq "stronge" ? column("to_v") : NaN

# lines join points of one set only: between its rows stand those of the other hypotheses
plot for [i = 1:words(sets)] csv using "kappa":(to_v(word(sets, i))) with points pt 7 ps 0.7 \
        lc rgb word(colours, i) title word(sets, i), \
    [1:1e6] x ** -0.5 with lines dt 2 lc rgb "#606060" title "κ^{−1/2}", \
    [1:1e6] 1 / x with lines dt 4 lc rgb "#606060" title "κ^{−1}"
