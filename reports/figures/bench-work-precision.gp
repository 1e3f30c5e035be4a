# SPDX-License-Identifier: MIT
#
# impactcheck bench --csv bench.csv
# gnuplot -c reports/figures/bench-work-precision.gp bench.csv bench.svg               (or .png: error against time)
# gnuplot -c reports/figures/bench-work-precision.gp bench.csv bench.svg flow_calls    (error against flow calls)
#
# Cost of accuracy: a panel for each problem, a curve for each solver, a point for each tolerance or step. A solver without either is
# a single point. Errors of 0 and other sequences of events are not drawn.
csv = ARG1
here = ARG0[1:strlen(ARG0) - strlen("bench-work-precision.gp")]
load here . "looks.inc"
by_flow_calls = ARGC >= 3 && ARG3 eq "flow_calls"

# The names that a column holds in rows that are drawn, in the order in which they come, a line with its own problem in front of each solver's curve.
column_of(name) = sprintf("awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) { if ($i == \"%s\") k = i; if ($i == \"error\") e = i } if (!k || !e) exit 1; next } $e > 0 && !seen[$k]++ { printf \"%%s \", $k }' '%s'", name, csv)
subjects = system(column_of("subject"))
solvers = ordered(system(column_of("solver")))
n = words(subjects)
if (n == 0 || words(solvers) == 0) { print "there are no rows with a subject and a solver in " . csv; exit status 1 }

columns = n < 2 ? 1 : n < 5 ? 2 : 3
rows = ceil(n / real(columns))
width = columns == 1 ? 900 : columns == 2 ? 1100 : 1400
legend_columns = columns + 2
legend_rows = ceil(words(solvers) / real(legend_columns))
head = 70 + 19 * legend_rows
height = 70 + head + (columns == 1 ? 560 : columns == 2 ? 430 : 390) * rows
if (ARG2[strlen(ARG2) - 3:] eq ".png") { set terminal pngcairo size width, height font "sans,12" } \
else { set terminal svg size width, height font "sans,12" background "white" }
set output ARG2
set datafile separator ","

# each once, since the table is read by another program
colours = ""
types = ""
dashes = ""
do for [solver in solvers] {
    colours = colours . " " . colour(solver)
    types = sprintf("%s %d", types, type(solver))
    dashes = sprintf("%s %d", dashes, dash(solver))
}
of_curve(list, k) = word(list, k) + 0

# rows of one problem and solver with a positive error
of(subject, solver) = sprintf("< awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == \"error\") e = i } NR == 1 || ($1 == \"%s\" && $2 == \"%s\" && $e > 0)' '%s'", subject, solver, csv)
has(subject, solver) = system(of(subject, solver)[3:] . " | wc -l") + 0 > 1

set logscale xy
set format x "10^{%T}"
set format y "10^{%T}"
set grid xtics ytics lt 1 lc rgb "#e0e0e0"
set tics out nomirror
set yrange [1e-17:1e-2]
set ytics 1e-16, 100
set border 3
unset key

top = 1 - head / real(height)
set multiplot layout rows, columns \
    title (by_flow_calls ? "Cost of accuracy: error of event times versus flow calls" : \
        "Cost of accuracy: error of event times versus processor time") font "sans,15" \
    margins 95.0 / width, 1 - 25.0 / width, 62.0 / height, top spacing 80.0 / width, 85.0 / height
do for [i = 1:n] {
    subject = word(subjects, i)
    set title subject offset 0, -0.6 noenhanced
    set ylabel (i % columns == 1 || columns == 1 ? "greatest error of an event's time / s" : "")
    set xlabel (i > n - columns ? (by_flow_calls ? "flow calls" : "time / s for a simulated second") : "")
    drawn = ""
    do for [k = 1:words(solvers)] { if (has(subject, word(solvers, k))) { drawn = drawn . " " . k } }
    plot for [k in drawn] of(subject, word(solvers, k + 0)) \
        using (by_flow_calls ? column("flow_calls") : column("per_second")):(column("error")) \
        with linespoints lw 1.6 ps 1.1 pt of_curve(types, k + 0) dt of_curve(dashes, k + 0) lc rgb word(colours, k + 0) notitle
}

# the legend, above all panels, on a plot of its own that has nothing else
set lmargin screen 0
set rmargin screen 1
set tmargin screen 1 - 5.0 / height
set bmargin screen 1 - (head - 20) / real(height)
unset title
unset xlabel
unset ylabel
unset tics
unset border
unset grid
set xrange [1:10]
set yrange [1:10]
set key at screen 0.5, screen 1 - 34.0 / height center top horizontal maxrows legend_rows samplen 2.2 width 1 Left reverse noenhanced
plot for [k = 1:words(solvers)] NaN with linespoints lw 1.6 ps 1.1 pt of_curve(types, k) dt of_curve(dashes, k) lc rgb word(colours, k) \
    title word(solvers, k)
unset multiplot
