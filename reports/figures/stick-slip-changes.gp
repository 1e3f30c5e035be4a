# SPDX-License-Identifier: MIT
#
# impactcheck study stick-slip-changes --out stick-slip-changes.csv
# gnuplot -c reports/figures/stick-slip-changes.gp stick-slip-changes.csv stick-slip-changes.svg    (or .png)
#
# How often the compliant contact changes between sticking and sliding, over stiffness ratio and friction.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1200, 480 font "sans,12" } \
else { set terminal svg size 1200, 480 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

set xrange [-2.05:4.05]
set yrange [-0.05:3.05]
set xtics ("10^{−2}" -2, "10^{−1}" -1, "1" 0, "10" 1, "10^2" 2, "10^3" 3, "10^4" 4)
set tics out
set xlabel "stiffness ratio κ"
unset key
# in steps of the paper's claim: none, one, two; then more
set palette defined (0 "#ffffff", 0.99 "#ffffff", 1 "#d1e5f0", 1.99 "#d1e5f0", 2 "#92c5de", 2.99 "#92c5de", 3 "#fddbc7", \
    5 "#f4a582", 10 "#d6604d", 20 "#b2182b", 40 "#67001f")
set cbrange [0:40]
unset colorbox

# an image is made of whole rows of the map: those with one angle, the first column
at(angle) = sprintf("< awk -F, 'NR == 1 || $1 == %d' '%s'", angle, csv)

set multiplot layout 1, 3 title "Planar bar: changes between sticking and sliding in one impact (white: none; blue: one or two)" \
    margins 0.06, 0.9, 0.16, 0.82 spacing 0.04, 0.1
do for [i = 1:3] {
    angle = int(word("45 30 -30", i))
    set title sprintf("φ = %d°", angle)
    if (i == 1) { set ylabel "friction μ" } else { unset ylabel }
    if (i == 3) { set colorbox user origin 0.92, 0.16 size 0.02, 0.66 }
    plot at(angle) using (log10(column("kappa"))):"mu":"changes" with image
}
unset multiplot
