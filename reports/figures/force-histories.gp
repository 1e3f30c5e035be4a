# SPDX-License-Identifier: MIT
#
# impactcheck study force-histories --out force-histories.csv
# gnuplot -c reports/figures/force-histories.gp force-histories.csv force-histories.svg    (or .png)
#
# Contact force over time at six impact speeds, after Wang et al. 2018, Fig. 4.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1200, 760 font "sans,12" } \
else { set terminal svg size 1200, 760 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

set xrange [0:310]
set xtics 100
set grid lt 1 lc rgb "#e0e0e0"
set tics out nomirror
set key top right samplen 3
force(specimen, v0) = strcol("specimen") eq specimen && abs(column("v0") - v0) < 1e-9 ? column("F") : NaN

set multiplot layout 2, 3 title "Steel ball on specimens C1 and C2: contact force by the model of Wang et al. 2018" \
    margins 0.085, 0.985, 0.09, 0.88 spacing 0.06, 0.13
speeds = "0.0938 0.15 0.206 0.2989 0.391 0.5"
greatest = "800 1400 2000 3000 4200 5600"
do for [i = 1:6] {
    set title sprintf("(%s) v_0 = %s m/s", "abcdef"[i:i], word(speeds, i))
    set yrange [0:real(word(greatest, i))]
    set xlabel i > 3 ? "time t / µs" : ""
    set ylabel i % 3 == 1 ? "contact force F / N" : ""
    plot csv using (1e6 * column("t")):(force("C1", real(word(speeds, i)))) with lines lw 2 lc rgb "#000000" title "C1", \
        csv using (1e6 * column("t")):(force("C2", real(word(speeds, i)))) with lines lw 2.5 dt (3,4) lc rgb "#d55e00" title "C2"
}
unset multiplot
