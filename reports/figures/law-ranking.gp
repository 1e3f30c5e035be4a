# SPDX-License-Identifier: MIT
#
# impactcheck study law-ranking --out law-ranking.csv
# gnuplot -c reports/figures/law-ranking.gp law-ranking.csv law-ranking.svg    (or .png)
#
# How far contact-force laws stay from the experiment, by specimen, in the order of their ranks.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1200, 900 font "sans,12" } \
else { set terminal svg size 1200, 900 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

# rows of one specimen, the third column
at(specimen) = sprintf("< awk -F, 'NR == 1 || $3 == \"%s\"' '%s'", specimen, csv)
label(row) = strcol("law") . (strcol("fitted") eq "alpha" ? "" : strcol("fitted") eq "alpha and k" ? " (and k)" : \
    strcol("fitted") eq "as published" ? " (as published)" : " (nothing fitted)")

set style fill solid 0.85
set boxwidth 0.38
set grid ytics lt 1 lc rgb "#e0e0e0"
set tics out nomirror
set xtics rotate by 35 right
set ylabel "rms relative error / %"
set logscale y
set yrange [0.05:40]
set ytics (0.1, 0.3, 1, 3, 10, 30)
set xrange [-0.7:*]

set multiplot layout 2, 1 title "Contact-force laws against the experiment, c_r = 1 − α v_0^{1/3} with α fitted to the restitution" \
    margins 0.09, 0.985, 0.16, 0.86 spacing 0.1, 0.24
do for [specimen in "C1 C2"] {
    set title "specimen " . specimen
    if (specimen eq "C1") { set key at screen 0.54, 0.965 center top horizontal maxcols 2 Left reverse samplen 2 } else { unset key }
    plot at(specimen) using ($0 - 0.2):(100 * column("restitution_error")):xtic(label(0)) with boxes lc rgb "#0072b2" title "restitution", \
        "" using ($0 + 0.2):(100 * column("force_error")) with boxes lc rgb "#e69f00" title "peak force", \
        "" using ($0 - 0.2):(100 * column("one_restitution_error")) with points pt 7 ps 0.9 lc rgb "#000000" \
            title "restitution, one c_r for all speeds", \
        "" using ($0 + 0.2):(100 * column("one_force_error")) with points pt 6 ps 0.9 lc rgb "#000000" \
            title "peak force, one c_r for all speeds"
}
unset multiplot
