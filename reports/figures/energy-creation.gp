# SPDX-License-Identifier: MIT
#
# impactcheck study energy-creation --out energy-creation.csv
# gnuplot -c reports/figures/energy-creation.gp energy-creation.csv energy-creation.svg    (or .png)
#
# Energy gained in a rigid impact with e = 1, as a part of the kinetic energy before, over angle and friction.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1100, 700 font "sans,11" } \
else { set terminal svg size 1100, 700 font "sans,11" background "white" }
set output ARG2
set datafile separator ","

set xrange [-90:90]
set yrange [-0.05:3.05]
set xtics 45
set ytics 1
set tics out
set cbrange [-30:30]
# lost: blue, nothing: white, created: red
set palette defined (-30 "#2166ac", -10 "#92c5de", 0 "#ffffff", 10 "#f4a582", 30 "#b2182b")
unset colorbox
unset key

# an image is made of whole rows of the map: here those with e = 1, the third column
elastic = sprintf("< awk -F, 'NR == 1 || $3 == 1' '%s'", csv)

set multiplot layout 2, 3 title "Planar bar, v = (0.8, −1) m/s, e = 1: energy gained over the kinetic energy before, %" \
    margins 0.07, 0.89, 0.1, 0.88 spacing 0.04, 0.12
do for [i = 1:6] {
    name = word("newton poisson stronge newton_normal poisson_normal stronge_normal", i)
    who = word("Newton Poisson Stronge", (i - 1) % 3 + 1)
    set title who . (i <= 3 ? ": in all" : ": in the normal motion alone")
    if (i > 3) { set xlabel "angle φ / degrees" } else { unset xlabel }
    if (i % 3 == 1) { set ylabel "friction μ" } else { unset ylabel }
    if (i == 3) { set colorbox user origin 0.91, 0.1 size 0.02, 0.78 } else { unset colorbox }
    plot elastic using "phi":"mu":(100 * column(name)) with image
}
unset multiplot
