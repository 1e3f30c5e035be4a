# SPDX-License-Identifier: MIT
#
# impactcheck study pneumatic-forces --out pneumatic-forces.csv
# gnuplot -c reports/figures/pneumatic-forces.gp pneumatic-forces.csv pneumatic-forces.svg    (or .png)
#
# Contact forces of the pneumatic mechanism before and after the optimisation, after Kecskeméthy & Lange 1999, Fig. 5(b).
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1000, 900 font "sans,12" } \
else { set terminal svg size 1000, 900 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

set xrange [0:1.25]
set grid lt 1 lc rgb "#e0e0e0"
set tics out nomirror
set key at graph 0.87, 0.95 right samplen 2
set ylabel "contact force / N"
of(design, force) = strcol("design") eq design ? force : NaN
heads(design) = of(design, column("head_force_1") + column("head_force_2"))
arms(design) = of(design, column("arm_force_1") + column("arm_force_2"))

set multiplot layout 3, 1 title "Pneumatic mechanism: contact forces over two cycles" margins 0.11, 0.97, 0.07, 0.92 spacing 0.08
names = "first-design optimised optimised"
greatest = "2500 2500 400"
do for [i = 1:3] {
    design = word(names, i)
    set title (i == 1 ? "(a) before" : i == 2 ? "(b) after, on the same scale" : "(c) after, on its own scale")
    set yrange [0:real(word(greatest, i))]
    set xlabel i == 3 ? "time t / s" : ""
    plot csv using (column("t")):(heads(design)) with lines lw 1.5 lc rgb "#d55e00" title "heads on the piston", \
        csv using (column("t")):(arms(design)) with lines lw 1.5 lc rgb "#0072b2" title "limits on the arms' tips"
}
unset multiplot
