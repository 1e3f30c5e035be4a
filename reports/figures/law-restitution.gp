# SPDX-License-Identifier: MIT
#
# impactcheck study law-restitution --out law-restitution.csv
# gnuplot -c reports/figures/law-restitution.gp law-restitution.csv law-restitution.svg    (or .png)
#
# Restitution that comes out of contact-force laws over the one that is asked for; laws with the same curve share a line.
csv = ARG1
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size 1380, 620 font "sans,12" } \
else { set terminal svg size 1380, 620 font "sans,12" background "white" }
set output ARG2
set datafile separator ","

# each curve is named by its first law; its title lists all of them
curves = system(sprintf("awk -F, 'NR > 1 && $1 == $2 && !seen[$2]++ { printf \"%%s \", $2 }' '%s'", csv))
titles = system(sprintf("awk -F, 'NR > 1 && !seen[$1]++ { t[$2] = t[$2] (t[$2] == \"\" ? \"\" : \",_\") $1; if ($1 == $2) c[++n] = $2 } \
    END { for (i = 1; i <= n; i++) printf \"%%s \", t[c[i]] }' '%s'", csv))
title_of(i) = system(sprintf("echo '%s' | tr _ ' '", word(titles, i)))
colours = "#000000 #e69f00 #0072b2 #56b4e9 #cc79a7 #d55e00 #999933 #009e73 #882255 #44aa99 #661100"
colour(i) = word(colours, (i - 1) % words(colours) + 1)
do for [i = 1:64] {
    if (i % 3 == 1) { set style line i lw 2 lc rgb colour(i) }
    if (i % 3 == 2) { set style line i lw 2 dt (12,5) lc rgb colour(i) }
    if (i % 3 == 0) { set style line i lw 2 dt (4,4) lc rgb colour(i) }
}

of(name, quantity) = strcol("curve") eq name && strcol("law") eq name ? column(quantity) : NaN
set grid lt 1 lc rgb "#e0e0e0"
set tics out nomirror
set xrange [0:1]
set xlabel "restitution that is asked for, e_{in}"

set multiplot layout 1, 2 title "Free impacts on contact-force laws: restitution that comes out" \
    margins 0.065, 0.695, 0.12, 0.88 spacing 0.075, 0.1
unset key
set yrange [0:1]
set ylabel "restitution that comes out, e_{out}"
plot for [i = 1:words(curves)] csv using "e_in":(of(word(curves, i), "e_out")) with lines ls i

set yrange [-0.1:0.7]
set ylabel "error e_{out} − e_{in}"
set key at screen 0.71, 0.88 left top vertical Left reverse samplen 3 spacing 1.4
plot for [i = 1:words(curves)] csv using "e_in":(of(word(curves, i), "error")) with lines ls i \
    title title_of(i)
unset multiplot
